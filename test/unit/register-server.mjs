// An MCP server for tests, by hand: it lists two tools on two pages, each with a bound that a double cannot hold.
import { createInterface } from 'node:readline';

const tool = (name) => `{"name":"${name}","inputSchema":{"type":"object","properties":{"n":{"maximum":9223372036854775807}}}}`;
const say = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${result}}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  if (method === 'initialize') say(id, `"result":{"protocolVersion":"${params.protocolVersion}","capabilities":{"tools":{}},"serverInfo":{"name":"two-pages","version":"1"}}`);
  else if (method === 'tools/list') say(id, params?.cursor ? `"result":{"tools":[${tool('b')}]}` : `"result":{"tools":[${tool('a')}],"nextCursor":"2"}`);
  else say(id, '"error":{"code":-32601,"message":"no such method"}');
}

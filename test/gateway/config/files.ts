// Gateway files for the tests of the configuration: good ones, and bad ones with what is wrong with them and where.

/** Files that the reader takes and the schema allows. */
export const GOOD: Record<string, string> = {
  "one member": "policy: policy.yaml\n",
  "an empty mapping": "{}\n",
  "a comment about the schema": "$schema: ./gateway.schema.json\nmode: observe\n",
  "a server as a program": "servers:\n  files: {command: npx, args: [-y, some-server, ./data], env: {LEVEL: debug, TOKEN: {env: TEST_TOKEN}}, cwd: ., prefix: files}\n",
  "a server by its address": "servers:\n  remote: {url: 'https://mcp.example.com/mcp', headers: {authorization: {file: token.txt}}}\n",
  "HTTP tools": "http:\n  get order: {method: GET, url: 'https://shop.example.com/orders/{id}', idempotency_header: idempotency-key, reconcile: 'https://shop.example.com/ops/{key}'}\n",
  "several tenants": "tenants:\n  shop: {policy: policy.yaml, mode: observe}\n  bank: {approvals: {answer: retry}}\ncallers:\n  a: {tenant: bank, sha256: '" + "ab".repeat(32) + "', may: [approve], approver: ana, expires: '2027-01-31T00:00:00Z'}\n",
  "an issuer": "issuers:\n  corp: {issuer: 'https://id.example.com', jwks: 'https://id.example.com/jwks', audience: interlock}\ncallers:\n  ana: {subject: {issuer: corp, subject: ana}, agents: [desk], principal: {department: sales}}\n",
  hooks: "hooks:\n  - {name: look, when: pre, module: hook.mjs}\n  - {name: scan, when: post, command: ./scan, args: [-q], on_failure: ask, timeout_seconds: 0.5}\n  - {name: tell, when: pre, webhook: {url: 'https://hooks.example.com', secret: {env: TEST_TOKEN}}, tools: [pay], escalate_only: true}\n",
  "a distributed engine": "engine: {restate: {ingress: 'http://10.0.0.5:8080', admin: 'http://10.0.0.5:9070', listen: {host: 10.0.0.6, port: 9080}, advertise: 'http://workers:9080', identity_keys: [publickeyv1_2G8dCQhArfvGpzPw5Vx2ALciR4xCLHfS5YaT93XjNxX9], prefix: shop}}\n",
  "a distributed engine on this machine": "engine: {restate: {}}\n",
  TLS: "listen: {host: 0.0.0.0, port: 443, tls: {cert: cert.pem, key: cert.pem}}\n",
  "limits of tools": "tool_defaults: {timeout_seconds: 5}\ntools:\n  pay: {concurrency: 1, on_unknown: fail}\nretention: {results_seconds: 86400, sessions_seconds: null}\n",
  "a tool that is asked about": "tools:\n  pay: {reconcile: {tool: find, argument: key, member: state, ran: [done, true, 1], failed: [null]}}\n  refund: {reconcile: {tool: find, argument: id, from: order_id, member: state, ran: [done]}}\n",
  "a recording": "recording: {file: recorded.jsonl, arguments: true}\naudit: {redact: {'*': [], pay: [card]}, checkpoint_entries: 10}\n",
  telemetry: "telemetry: {otlp: 'http://127.0.0.1:4318', log_level: debug}\nlimits: {body_bytes: 65536, in_flight: 10}\nallowed_hosts: [gateway.example.com]\nallowed_origins: ['https://console.example.com']\npublic_url: https://gateway.example.com\n",
};

/** A file that neither takes: its text, and each problem as `line:column code message-part`. */
export const BAD: Record<string, { text: string; problems: readonly [place: string, code: string, part: string, hint?: string][] }> = {
  "a member that is misspelt": { text: "polcy: policy.yaml\n", problems: [["1:1", "config_unknown_member", "polcy", "Did you mean policy?"]] },
  "a member in another spelling": { text: "listen:\n  hostName: a\n", problems: [["2:3", "config_unknown_member", "listen.hostName", "host"]] },
  "a number as text": { text: "listen: {port: '8484'}\n", problems: [["1:16", "config_value", "listen.port is not a port"]] },
  "a port that is none": { text: "listen: {port: 65536}\n", problems: [["1:16", "config_value", "0 to 65535"]] },
  "a mode that is none": { text: "mode: watch\n", problems: [["1:7", "config_value", "one of enforce, observe"]] },
  "a list for a mapping": { text: "servers: []\n", problems: [["1:10", "config_value", "servers by their names"]] },
  "a text for the whole": { text: "hello\n", problems: [["1:1", "config_value", "The file is not a mapping"]] },
  "a server that is neither": { text: "servers:\n  a: {prefix: x}\n", problems: [["2:6", "config_value", "servers.a is not a server: {command"]] },
  "a server that is both": { text: "servers:\n  a: {command: x, url: 'http://x'}\n", problems: [["2:6", "config_value", "servers.a is not a server: {command"]] },
  "arguments as text": { text: "servers:\n  a: {command: npx, args: -y}\n", problems: [["2:27", "config_value", "servers.a.args is not a list"]] },
  "a secret in the file": { text: "hooks:\n  - {name: h, when: pre, webhook: {url: 'http://x', secret: hunter2}}\n", problems: [["2:61", "config_value", "a secret does not stand in the file"]] },
  "a grant that is none": { text: "callers:\n  a: {sha256: '" + "ab".repeat(32) + "', may: [aprove]}\n", problems: [["2:89", "config_value", "callers.a.may[0]"]] },
  "a hash that is none": { text: "callers:\n  a: {sha256: abc}\n", problems: [["2:15", "config_value", "64 hexadecimal digits"]] },
  "a name that is none": { text: "callers:\n  'a b': {}\n", problems: [["2:3", "config_value", "is not a name"]] },
  "an address that is none": { text: "servers:\n  a: {url: ftp://x}\n", problems: [["2:12", "config_value", "servers.a.url"]] },
  "no tenants": { text: "tenants: {}\n", problems: [["1:10", "config_value", "at least one tenant"]] },
  "a tenant's member at the top of several": { text: "tenants:\n  shop: {}\npolicy: policy.yaml\n", problems: [["3:1", "config_unknown_member", "policy"]] },
  "a hook without a time": { text: "hooks:\n  - {name: h, module: a.mjs}\n", problems: [["2:5", "config_missing", "hooks[0].when"]] },
  "seconds below nothing": { text: "tool_defaults: {timeout_seconds: 0}\n", problems: [["1:34", "config_value", "a number of seconds"]] },
  "a principal whose id is a number": { text: "callers:\n  a: {sha256: '" + "ab".repeat(32) + "', principal: {id: 7}}\n", problems: [["2:99", "config_value", "the principal's id"]] },
  "a time that is none": { text: "callers:\n  a: {sha256: '" + "ab".repeat(32) + "', expires: tomorrow}\n", problems: [["2:92", "config_value", "a time in UTC"]] },
  "JavaScript's own name": { text: "callers:\n  __proto__: {sha256: x}\n", problems: [["2:3", "config_unknown_member", "callers.__proto__"]] },
  "many at once": {
    text: "mode: watch\nlisten:\n  port: -1\n  tsl: {}\nserver:\n  a: {}\n",
    problems: [["1:7", "config_value", "mode"], ["3:9", "config_value", "listen.port"], ["4:3", "config_unknown_member", "listen.tsl", "Did you mean tls?"], ["5:1", "config_unknown_member", "server", "Did you mean servers?"]],
  },
};

/** A file whose shape is right, which the reader alone refuses: what one member says of another, or of the machine. */
export const BETWEEN: Record<string, { text: string; problems: readonly [place: string, code: string, part: string][] }> = {
  "results that a distributed engine does not keep": { text: "engine: {restate: {}}\ntools: {a: {result_bytes: 3000000}}\ntool_defaults: {result_bytes: 2097152}\n", problems: [["2:27", "config_result_bytes", "at most 2097152 bytes"]] },
  "an HTTP tool that is asked about by a tool": { text: "http: {a: {method: POST, url: 'http://x/'}}\ntools:\n  a: {reconcile: {tool: b, argument: k, member: m, ran: [x]}}\n", problems: [["3:18", "config_reconcile", "asked at an address"]] },
  "a tool that is asked about by itself, and by a value of two meanings": { text: "tools:\n  a: {reconcile: {tool: a, argument: k, member: m, ran: [x], failed: [y, x]}}\n", problems: [["2:25", "config_reconcile", "making it again"], ["2:74", "config_reconcile", "both that a call ran"]] },
  "an engine that anybody may call": { text: "engine: {restate: {listen: {host: 0.0.0.0}}}\n", problems: [["1:35", "config_identity", "whoever calls it is believed"]] },
  "a policy that is not there": { text: "policy: other.yaml\n", problems: [["1:9", "config_file", "other.yaml"]] },
  "a secret that is not there": { text: "servers:\n  a: {command: x, env: {T: {env: TEST_ABSENT}}}\n", problems: [["2:28", "config_secret", "TEST_ABSENT"]] },
  "a secret's file that is not there": { text: "servers:\n  a: {url: 'http://x', headers: {a: {file: gone.txt}}}\n", problems: [["2:37", "config_secret", "gone.txt"]] },
  "a caller of no tenant": { text: "callers:\n  a: {tenant: other, sha256: '" + "ab".repeat(32) + "'}\n", problems: [["2:15", "config_tenant", "no tenant other"]] },
  "a caller that does not say which tenant": { text: "tenants: {x: {}, y: {}}\ncallers:\n  a: {sha256: '" + "ab".repeat(32) + "'}\n", problems: [["3:6", "config_tenant", "has no tenant"]] },
  "a caller without a key": { text: "callers:\n  a: {agents: [desk]}\n", problems: [["2:6", "config_caller", "either sha256 or subject"]] },
  "two callers with one key": { text: "callers:\n  a: {sha256: '" + "ab".repeat(32) + "'}\n  b: {sha256: '" + "ab".repeat(32) + "'}\n", problems: [["3:6", "config_caller", "the same key"]] },
  "an issuer that is not there": { text: "callers:\n  a: {subject: {issuer: corp, subject: x}}\n", problems: [["2:25", "config_issuer", "corp"]] },
};

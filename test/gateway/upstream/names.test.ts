// Names of tools: no server takes another's, whichever is up.
import { expect, it } from "vitest";
import { nameTools } from "../../../hosts/gateway/upstream/names.ts";

const where = (names: ReturnType<typeof nameTools>) => Object.fromEntries([...names.byName].map(([name, at]) => [name, `${at.server}/${at.name}`]));
const out = (names: ReturnType<typeof nameTools>) => names.leftOut.map(({ server, name }) => `${server}/${name}`);

it("a prefix is always put before; without one a name stays, unless a server before it has it", () => {
  const names = nameTools([{ server: "a", prefix: null, names: ["read", "write"] }, { server: "b", prefix: null, names: ["read", "list"] }, { server: "c", prefix: "files", names: ["read"] }], []);
  expect(where(names)).toEqual({ "files.read": "c/read", read: "a/read", write: "a/write", "b.read": "b/read", list: "b/list" });
  expect(names.leftOut).toEqual([]);
});

it("letter case and what harnesses write as _ do not tell names apart", () => {
  expect(where(nameTools([{ server: "a", prefix: null, names: ["Read"] }, { server: "b", prefix: null, names: ["read"] }], []))).toEqual({ Read: "a/Read", "b.read": "b/read" });
  const own = nameTools([{ server: "a", prefix: null, names: ["get.user", "get_user", "GET_USER", "other"] }], []);
  expect(where(own)).toEqual({ other: "a/other" });
  expect(out(own)).toEqual(["a/get.user", "a/get_user", "a/GET_USER"]);
});

it("HTTP tools' names, which the settings say, are never a server's", () => {
  expect(where(nameTools([{ server: "a", prefix: null, names: ["charge"] }], ["charge"]))).toEqual({ "a.charge": "a/charge" });
  expect(out(nameTools([{ server: "b", prefix: "a", names: ["charge"] }], ["a.charge"]))).toEqual(["b/charge"]);
});

it("a server that was not heard yet keeps those after it from taking its names; one that is down keeps the names it had", () => {
  const early = nameTools([{ server: "a", prefix: null, names: null }, { server: "b", prefix: null, names: ["read"] }, { server: "c", prefix: "c", names: ["read"] }], []);
  expect(where(early)).toEqual({ "c.read": "c/read" });
  expect(early.leftOut[0]!.why).toContain("a stands before it");
});

it("names that no policy may have, or beyond MCP's characters, lead nowhere", () => {
  const bad = ["__proto__", "constructor", "prototype", "", "a b", "a/b", "naïve", "a\u202eb", "x".repeat(129), "a\n"];
  const names = nameTools([{ server: "a", prefix: null, names: [...bad, "toString", "hasOwnProperty"] }], []);
  expect(where(names)).toEqual({ toString: "a/toString", hasOwnProperty: "a/hasOwnProperty" });
  expect(out(names)).toHaveLength(bad.length);
  expect(out(nameTools([{ server: "a", prefix: "p".repeat(100), names: ["x".repeat(40)] }], []))).toHaveLength(1);
});

// /conform in each real runtime: the bytes that Node's `interlock conform` prints, for lines of every kind, in pieces of any size.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeRuntime } from "../runtime/runtimes.ts";
import { Session } from "../spec/world.ts";
import { said, send } from "./asking.ts";
import { type Host, HOSTS } from "./hosts.ts";
import { bindings, keys, policy, TOKENS } from "./shop.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Lines of every operation that a session has, and hostile ones. */
function lines(): Buffer {
  const of: (string | Buffer)[] = [];
  const add = (line: object) => of.push(JSON.stringify(line));
  add({ id: 1, op: "register", name: "p", policy });
  add({ id: 2, op: "keys", name: "k", keys });
  for (let i = 0; i < 300; i++) {
    add({
      id: `c${i}`,
      op: "check",
      policy: "p",
      keys: "k",
      request: {
        format: "qls-tool-check/1",
        session: `s${i}`,
        agent: "desk",
        tool: ["get_order", "charge_card", "nope"][i % 3],
        arguments: { order_id: `${i}`, note: "é\u{1f600}" },
        now: 1764445000 + i,
      },
    });
    add({ id: i, op: "sha256", base64: Buffer.alloc(i, i).toString("base64") });
  }
  const s = new Session();
  s.run("get_order", { order_id: "1" });
  add({ id: "h", op: "verify", policy: "p", keys: "k", session: s.session, history: s.history });
  of.push(
    "",
    "{",
    "null",
    '{"id":1}',
    '{"id":1,"op":"nope"}',
    '{"id":1,"op":"check","policy":"x"}',
    Buffer.from([0xff, 0xfe]),
    '{"id":1,"op":"sha256","base64":""}\r',
    `{"id":1,"op":"canonicalize","text":${JSON.stringify(`[${"1,".repeat(40000)}1]`)}}`,
    '{"id":1,"op":"canonicalize","text":"1e400"}',
  );
  return Buffer.concat(of.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])).subarray(0, -1);
}

for (const kind of HOSTS) {
  describeRuntime(`/conform under ${kind.runtime.name}`, [kind.runtime], () => {
    let host: Host;
    beforeAll(async () => {
      host = await kind.start({ ...bindings, INTERLOCK_MAX_BODY: "131072" });
    });
    afterAll(() => host?.stop());
    const conform = (body: BodyInit) => send(host, "/conform", body, { type: "application/x-ndjson" });

    it("answers as Node's command does, byte for byte", async () => {
      const input = lines();
      const node = spawnSync(process.execPath, [CLI, "conform"], { input, maxBuffer: 1 << 26 });
      expect(node.status).toBe(0);
      const expected = node.stdout.toString();
      expect(expected.split("\n").length).toBe(input.toString().split("\n").length + 1);
      expect((await conform(input as Uint8Array<ArrayBuffer>)).text).toBe(expected);
      for (const size of [1024, 7919]) {
        let at = 0;
        const pieces = new ReadableStream({
          async pull(controller) {
            await new Promise((passed) => setImmediate(passed));
            controller.enqueue(new Uint8Array(input.subarray(at, at + size)));
            at += size;
            if (at >= input.length) controller.close();
          },
        });
        expect((await conform(pieces)).text).toBe(expected);
      }
      expect((await conform("")).text).toBe("");
    });

    it("answers a line that is too long with an error, and goes on", async () => {
      const long = `{"id":1,"op":"canonicalize","text":"${"x".repeat(131072)}"}`;
      const [first, second, third, end] = (await conform(`${long}\n{"id":2,"op":"sha256","base64":""}\n${long}\n`)).text.split("\n");
      expect(JSON.parse(first!)).toEqual({ error: { code: "line_invalid", message: "the line is longer than 131072 bytes" }, id: null });
      expect(JSON.parse(second!).id).toBe(2);
      expect([third, end]).toEqual([first, ""]);
    });

    it("takes no other type, and reads no other request's names", async () => {
      expect(said(await send(host, "/conform", "{}"))).toBe("415 content_type");
      await conform(JSON.stringify({ id: 1, op: "keys", name: "mine", keys }));
      expect(JSON.parse((await conform('{"id":1,"op":"verify","policy":"p","keys":"mine","session":"s","history":null}')).text).error.code).toBe("name_unknown");
    });
  });

  describeRuntime(`/conform under ${kind.runtime.name}, unless it is on`, [kind.runtime], () => {
    it.each([undefined, "off"])("is not there (INTERLOCK_CONFORM=%s)", async (value) => {
      const { INTERLOCK_CONFORM: _, ...rest } = bindings;
      const host = await kind.start(value === undefined ? rest : { ...rest, INTERLOCK_CONFORM: value });
      try {
        expect(said(await send(host, "/conform", "", { type: "application/x-ndjson", token: TOKENS.service }))).toBe("404 not_found");
      } finally {
        await host.stop();
      }
    });
  });
}

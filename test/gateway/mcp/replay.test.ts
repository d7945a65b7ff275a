// The streams kept for clients that come back: taken up behind any event, and never more of them than the door has room for.
import { expect, it } from "vitest";
import { EVENT, Kept, Replay } from "../../../hosts/gateway/doors/mcp/replay.ts";

const PART = "x".repeat(1024 * 1024);
const all = (body: ReadableStream<Uint8Array> | null) => new Response(body).text();

it("a stream is taken up behind the event that is named, also after it ended", async () => {
  const replay = new Replay(new Kept());
  const stream = replay.open();
  for (const text of ["1", "2", "3"]) stream.send(text);
  stream.end();
  expect(await all(replay.after(`${EVENT}1-1`))).toBe(`id: ${EVENT}1-2\nevent: message\ndata: 2\n\nid: ${EVENT}1-3\nevent: message\ndata: 3\n\n`);
  for (const id of ["call-2-0", "call-1-x", "call-1--1", "call-", "1", "call-__proto__-1"]) expect(replay.after(id), id).toBeNull();
});

it("sessions share the room for ended streams: what ended first is let go, and a session that ends gives its room back", async () => {
  const kept = new Kept();
  const sessions = Array.from({ length: 5 }, () => new Replay(kept));
  for (let round = 0; round < 20; round++) {
    for (const session of sessions) {
      const stream = session.open();
      stream.send(PART);
      stream.end();
      stream.end();
      expect(kept.bytes).toBeLessThanOrEqual(64 * PART.length);
    }
  }
  expect(kept.bytes).toBe(64 * PART.length);
  expect(sessions[0]!.after(`${EVENT}1-0`)).toBeNull();
  expect((await all(sessions[0]!.after(`${EVENT}20-0`))).length).toBeGreaterThan(PART.length);
  for (const session of sessions) session.close();
  expect(kept.bytes).toBe(0);
});

it("a stream that goes on is not let go for others", async () => {
  const kept = new Kept();
  const [own, others] = [new Replay(kept), new Replay(kept)];
  const going = own.open();
  going.send("first");
  for (let at = 0; at < 200; at++) {
    const stream = others.open();
    stream.send(PART);
    stream.end();
  }
  const body = own.after(`${EVENT}1-0`);
  going.send("second");
  going.end();
  expect(await all(body)).toContain("data: first\n\nid: call-1-2\nevent: message\ndata: second");
});

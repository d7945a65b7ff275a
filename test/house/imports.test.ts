// House rules about imports: they point one way, as ARCHITECTURE draws it.
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { imports, sources } from "./sources.ts";

/** The rooms of the core; each may import those above it. */
const ROOMS = [
  ["abi.ts", "abort.ts"],
  ["memory"],
  ["digest"],
  ["ed25519", "json", "unicode"],
  ["regex"],
  ["schema", "cel"],
  ["policy"],
  ["history"],
  ["evidence"],
  ["check", "turn", "gate"],
  ["operations.ts", "handles.ts"],
  ["conform"],
  ["index.ts"],
  ["wasi.ts"],
];
/** What the WASI command, and nothing else, takes from outside: the shim's declarations of what a WASI runtime offers. */
const FROM_OUTSIDE: Record<string, string[]> = { "wasi.ts": ["bindings/wasi_snapshot_preview1"] };

function roomOf(path: string): string {
  const [first = "", ...rest] = path.split("/").slice(1);
  return rest.length === 0 ? `${first.replace(/\.ts$/, "")}.ts` : first;
}

function heightOf(room: string): number {
  return ROOMS.findIndex((rooms) => rooms.includes(room));
}

/** Where a relative import leads, from the root. */
function target(file: string, name: string): string {
  return join(dirname(file), name);
}

it("rooms of the core import only rooms below them", () => {
  const wrong: string[] = [];
  for (const file of sources.filter((source) => source.startsWith("assembly/"))) {
    const room = roomOf(file);
    if (heightOf(room) < 0) wrong.push(`${file}: the room ${room} has no place in the order`);
    for (const name of imports(file)) {
      if (FROM_OUTSIDE[room]?.includes(name)) continue;
      if (!name.startsWith(".")) wrong.push(`${file} imports ${name}: the core imports nothing but itself`);
      else {
        const other = roomOf(target(file, name));
        if (other !== room && heightOf(other) >= heightOf(room)) wrong.push(`${file} imports ${name}: ${other} does not stand below ${room}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

it("bindings see neither the core's sources nor the hosts", () => {
  const wrong = sources
    .filter((file) => file.startsWith("bindings/"))
    .flatMap((file) =>
      imports(file)
        .filter((name) => name.startsWith(".") && !target(file, name).startsWith("bindings/") && !name.endsWith("core.wasm"))
        .map((name) => `${file} imports ${name}`),
    );
  expect(wrong).toEqual([]);
});

it("the neutral bindings import no built-in of Node and no package", () => {
  const wrong = sources
    .filter((file) => /^bindings\/[^/]+$/.test(file) || /^bindings\/entry\/(?:inline|workerd|base64)\.ts$/.test(file))
    .flatMap((file) =>
      imports(file)
        .filter((name) => !name.startsWith(".") && name !== "interlock:core-base64")
        .map((name) => `${file} imports ${name}`),
    );
  expect(wrong).toEqual([]);
});

it("hosts see the package by its name, and never each other", () => {
  const wrong: string[] = [];
  for (const file of sources.filter((source) => source.startsWith("hosts/"))) {
    const [, host] = file.split("/");
    for (const name of imports(file).filter((imported) => imported.startsWith("."))) {
      const path = target(file, name);
      const [folder, other] = path.split("/");
      if (folder !== "hosts") wrong.push(`${file} imports ${name}: hosts import the package by its name`);
      else if (other !== host && other !== "shared" && !(host === "cli")) wrong.push(`${file} imports ${name}: what two hosts share is hosts/shared`);
    }
  }
  expect(wrong).toEqual([]);
});

it("the model imports nothing of ours", () => {
  const wrong = sources
    .filter((file) => file.startsWith("test/model/") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      imports(file)
        .filter((name) => name.startsWith(".") && !target(file, name).startsWith("test/model/"))
        .map((name) => `${file} imports ${name}`),
    );
  expect(wrong).toEqual([]);
});

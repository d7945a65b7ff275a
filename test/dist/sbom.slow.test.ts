// The bill of materials: CycloneDX in form, exactly what is shipped (by a walk of the installed packages and by the notices of what the build holds), every licence named, and none of them copyleft.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { ROOT } from "../../bindings/build/core.mjs";
import { NOTICES, writeNotices } from "../../bindings/build/notices.mjs";
import { sbom } from "../../bindings/build/sbom.mjs";

interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly ({ readonly license: { readonly id?: string; readonly name?: string } } | { readonly expression: string })[];
}

interface Bom {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

let bom: Bom;
beforeAll(() => {
  if (!existsSync(join(ROOT, "dist", NOTICES))) writeNotices();
  bom = JSON.parse(sbom()) as Bom;
});

const manifestAt = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
const nameOf = ({ group, name, version }: Component): string => `${group === undefined || group === "" ? "" : `${group}/`}${name}@${version}`;

/** Where a package is that a folder's package names, as Node looks for it; null where it is not installed. */
function found(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const at = join(folder, "node_modules", name);
    if (existsSync(join(at, "package.json"))) return at;
    if (folder === dirname(folder)) return null;
  }
}

/** Every package that is installed with this one, by a walk over what each asks for. */
function walked(): Map<string, Manifest> {
  const all = new Map<string, Manifest>();
  const open = [ROOT];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestAt(folder);
    const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
    for (const name of [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers]) {
      const at = found(name, folder);
      if (at === null) {
        expect(optionalDependencies, `${name}, which ${folder} asks for`).toHaveProperty(name);
        continue;
      }
      const manifest = manifestAt(at);
      if (all.has(`${manifest.name}@${manifest.version}`)) continue;
      all.set(`${manifest.name}@${manifest.version}`, manifest);
      open.push(at);
    }
  }
  return all;
}

/** The packages whose code a notice says the build holds. */
function noticed(): readonly string[] {
  return ["dist", "dist/console"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.includes("NOTICES"))
      .flatMap((name) => [...readFileSync(join(ROOT, folder, name), "utf8").matchAll(/^(@?[\w./-]+) (\d[\w.+-]*) \([^)\n]+\)$/gm)].map(([, of, version]) => `${of}@${version}`)),
  );
}

it("has CycloneDX's form: every member that its schema requires, references that lead somewhere, each once", () => {
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.[4-6]$/), version: 1 });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  expect(new Date(bom.metadata.timestamp).toISOString()).toBe(bom.metadata.timestamp);
  const refs = [bom.metadata.component, ...bom.components].map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  for (const component of bom.components) {
    expect(["application", "framework", "library", "file"]).toContain(component.type);
    expect(component.purl).toBe(`pkg:npm/${nameOf(component).replace(/^@/, "%40")}`);
    for (const { alg, content } of component.hashes ?? []) {
      expect(["SHA-1", "SHA-256", "SHA-384", "SHA-512"]).toContain(alg);
      expect(content).toMatch(/^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128})$/);
    }
  }
  expect(bom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
  for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
});

it("lists what is shipped, nothing less and nothing more", () => {
  const shipped = new Set([...walked().keys(), ...noticed()]);
  const listed = bom.components.map(nameOf);
  const lacks = [...shipped].filter((name) => !listed.includes(name));
  expect(lacks).toEqual([]);
  // Optional packages of other systems are listed where the lock file has them, though they are not installed here.
  const optional = new Set(
    Object.entries((JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, { version?: string; optional?: boolean }> }).packages)
      .filter(([, { optional: is }]) => is === true)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`),
  );
  expect(listed.filter((name) => !shipped.has(name) && !optional.has(name))).toEqual([]);
  expect(listed.length).toBeGreaterThan(50);
});

it("names a licence of each that the package itself names, and none that asks for the source of what uses it", () => {
  const installed = walked();
  const free = new Set(["MIT", "MIT-0", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "Unlicense", "CC0-1.0", "BlueOak-1.0.0", "Python-2.0", "Zlib", "WTFPL"]);
  for (const component of [bom.metadata.component, ...bom.components]) {
    const texts = (component.licenses ?? []).map((one) => ("expression" in one ? one.expression : (one.license.id ?? one.license.name ?? "")));
    expect(texts, nameOf(component)).toHaveLength(1);
    const choices = texts[0]!.replaceAll(/[()]/g, "").split(/ (?:OR|AND) /);
    const isFree = texts[0]!.includes(" OR ") ? choices.some((one) => free.has(one)) : choices.every((one) => free.has(one));
    expect(isFree, `${nameOf(component)}: ${texts[0]}`).toBe(true);
    const own = installed.get(nameOf(component))?.license;
    if (own !== undefined) expect(texts[0]!.replaceAll(/[()]/g, ""), nameOf(component)).toBe(own.replaceAll(/[()]/g, ""));
  }
});

it("dependencies are pinned to exact versions, with a digest of what is fetched; the package names no repository that it does not have", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, { integrity?: string; link?: boolean }> };
  for (const [path, { integrity, link }] of Object.entries(packages)) if (path !== "" && link !== true) expect(integrity, path).toMatch(/^sha512-/);
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest & { repository?: unknown; publishConfig: { provenance: boolean } };
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies })) expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
  expect(manifest.publishConfig.provenance).toBe(true);
  expect(manifest.repository).toBeUndefined();
});

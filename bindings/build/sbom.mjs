// npm run sbom: writes dist/sbom.json, a CycloneDX list of what is shipped: the packages that are installed with this one, and those whose code the build holds.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./core.mjs";
import { NOTICES } from "./notices.mjs";

const read = (name) => readFileSync(join(ROOT, name), "utf8");

/** Name and version of each package whose licence a built notice gives. */
function bundled() {
  const heads = [join("dist", NOTICES), join("dist/console", NOTICES)].flatMap((name) => read(name).split(/\n-{80}\n/));
  return heads.map((part) => /^(?:.*\n\n)?(\S+) (\d\S*) \(/.exec(part.trimStart())).flatMap((found) => (found === null ? [] : [`${found[1]}@${found[2]}`]));
}

/** Name and version of each package that npm installs beside this one. */
function installed() {
  const { packages } = JSON.parse(read("package-lock.json"));
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === "" || entry.dev ? [] : [`${entry.name ?? path.slice(path.lastIndexOf("node_modules/") + 13)}@${entry.version}`],
  );
}

/** The bill of materials as JSON text. npm's own `--omit dev` leaves out what a development dependency needs too, so the whole list is narrowed here. */
export function sbom() {
  const { stdout, stderr, status } = spawnSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  const whole = JSON.parse(stdout);
  const held = new Set(bundled());
  const shipped = new Set([...installed(), ...held]);
  const identity = ({ group, name, version }) => `${group ? `${group}/` : ""}${name}@${version}`;
  // A package whose code the build holds is a development dependency to npm, and shipped all the same.
  const told = ({ properties, ...component }) =>
    held.has(identity(component)) ? { ...component, scope: "required" } : { ...component, ...(properties === undefined ? {} : { properties }) };
  const components = whole.components.filter((component) => shipped.has(identity(component))).map(told);
  const missing = [...shipped].filter((name) => !components.some((component) => identity(component) === name));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(", ")}`);
  const root = whole.metadata.component;
  const { name } = JSON.parse(read("package.json"));
  const refs = new Set([root["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: (dependsOn ?? []).filter((other) => refs.has(other)) }));
  return `${JSON.stringify({ ...whole, metadata: { ...whole.metadata, component: { ...root, name } }, components, dependencies }, null, 2)}\n`;
}

if (process.argv[1]?.endsWith("sbom.mjs")) {
  writeFileSync(join(ROOT, "dist/sbom.json"), sbom());
  console.log(`dist/sbom.json  ${JSON.parse(read("dist/sbom.json")).components.length} components`);
}

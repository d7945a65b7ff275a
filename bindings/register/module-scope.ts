// The declarations of modules by name: which one a name of a module means, through imports and exports of modules beside it.
import { child, children, keyOf, type Module, type Node, parseModule, placeOf } from './module-source.ts';
import { type Problem, problemAt } from './problems.ts';

/** What a name means: its declarations (several for an interface that is written in parts, or overloads), and the module they stand in. */
export interface Meaning { module: Module; declarations: Node[] }

/** An export: its name, what it means, and the node that exports it. */
export interface Export { name: string; module: Module; node: Node; local: string | null; declaration: Node | null }

/** Reads a file by its path from the folder of the named module. */
export type ReadBeside = (name: string) => Promise<{ file: string; content: string | Uint8Array }>;

/** The most modules one import reads. */
export const MODULES = 200;
/** How many imports and exports may follow one another before the declaration of a value. */
const CHAIN = 32;
const TYPES = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration', 'ClassDeclaration'];

/** The modules of one import. */
export class Modules {
  readonly #read: ReadBeside;
  readonly #problems: Problem[];
  readonly #known = new Map<string, Promise<Module | null>>();
  readonly #scopes = new WeakMap<Module, Map<string, Node[]>>();
  readonly #exports = new Map<Module, Export[]>();

  constructor(named: Module, read: ReadBeside, problems: Problem[]) {
    this.#read = read;
    this.#problems = problems;
    this.#known.set(named.name, Promise.resolve(named));
  }

  /** What a type's name means; null where it is declared neither here nor in a module beside. `import` is set where it comes from a package. */
  async typeNamed(name: string, module: Module, seen: Set<string> = new Set()): Promise<Meaning | 'package' | null> {
    const own = (this.scope(module).get(name) ?? []).filter(({ type }) => TYPES.includes(type) || type === 'TSModuleDeclaration');
    if (own.length > 0) return { module, declarations: own };
    const imported = this.importOf(name, module);
    if (!imported) return null;
    if (!imported.from.startsWith('.')) return 'package';
    const other = await this.beside(imported.from, module, imported.node);
    return other ? this.exportedType(imported.name, other, seen) : null;
  }

  /** What a value's name means: functions and variables. */
  async valueNamed(name: string, module: Module, depth = 0): Promise<Meaning | 'package' | null> {
    const own = (this.scope(module).get(name) ?? []).filter(({ type }) => !TYPES.slice(0, 2).includes(type));
    if (own.length > 0) return { module, declarations: own };
    const imported = this.importOf(name, module);
    if (!imported || depth > CHAIN) return null;
    if (!imported.from.startsWith('.')) return 'package';
    const other = await this.beside(imported.from, module, imported.node);
    const found = other ? (await this.exports(other)).find((one) => one.name === imported.name) : undefined;
    return found ? this.valueOf(found, depth + 1) : null;
  }

  /** The declarations behind an export. */
  async valueOf({ module, declaration, local }: Export, depth = 0): Promise<Meaning | 'package' | null> {
    return declaration ? { module, declarations: [declaration] } : this.valueNamed(local!, module, depth);
  }

  /** Every export of values, those of `export * from` modules beside included, in the order written. */
  async exports(module: Module): Promise<Export[]> {
    const known = this.#exports.get(module);
    if (known) return known;
    // Modules that export from one another in a ring add nothing on the second way round.
    this.#exports.set(module, []);
    const found: Export[] = [];
    for (const node of module.body) {
      if (node.type === 'ExportDefaultDeclaration') {
        const declaration = child(node, 'declaration');
        const isName = declaration?.type === 'Identifier';
        const named = declaration && !isName ? keyOf(child(declaration, 'id')) : null;
        found.push({ name: 'default', module, node, local: isName ? keyOf(declaration) : named, declaration: isName || named ? null : declaration });
      } else if (node.type === 'ExportNamedDeclaration') found.push(...await this.namedExports(node, module));
      else if (node.type === 'ExportAllDeclaration' && child(node, 'exported') === null && node['exportKind'] !== 'type') found.push(...await this.all(node, module));
    }
    // Overloads are one export.
    const names = new Map<string, Export>();
    for (const one of found) if (!names.has(one.name)) names.set(one.name, one);
    const once = [...names.values()];
    this.#exports.set(module, once);
    return once;
  }

  private async namedExports(node: Node, module: Module): Promise<Export[]> {
    const declaration = child(node, 'declaration');
    if (declaration) return declaredNames(declaration).map((name) => ({ name, module, node, local: name, declaration: null }));
    const from = child(node, 'source')?.['value'];
    const specifiers = node['exportKind'] === 'type' ? [] : children(node, 'specifiers').filter((each) => each['exportKind'] !== 'type');
    const pairs = specifiers.map((each) => ({ node: each, local: keyOf(child(each, 'local')), name: keyOf(child(each, 'exported')) }));
    const own = pairs.filter((each): each is { node: Node; local: string; name: string } => each.local !== null && each.name !== null);
    if (typeof from !== 'string') return own.map(({ node: at, local, name }) => ({ name, module, node: at, local, declaration: null }));
    if (!from.startsWith('.')) {
      for (const { node: at, name } of own) this.fromPackage(name, module, at);
      return [];
    }
    const other = await this.beside(from, module, node);
    const theirs = other ? await this.exports(other) : [];
    return own.flatMap(({ local, name }) => theirs.filter((one) => one.name === local).map((one) => ({ ...one, name })));
  }

  private async all(node: Node, module: Module): Promise<Export[]> {
    const from = child(node, 'source')!['value'] as string;
    if (!from.startsWith('.')) {
      this.fromPackage('*', module, node);
      return [];
    }
    const other = await this.beside(from, module, node);
    return other ? (await this.exports(other)).filter(({ name }) => name !== 'default') : [];
  }

  private async exportedType(name: string, module: Module, seen: Set<string>): Promise<Meaning | 'package' | null> {
    // Where exports lead back here, another way has to lead on.
    const key = JSON.stringify([module.name, name]);
    if (seen.has(key)) return null;
    seen.add(key);
    for (const node of module.body) {
      if (node.type === 'ExportDefaultDeclaration' && name === 'default') {
        const declaration = child(node, 'declaration');
        if (declaration?.type === 'Identifier') return this.typeNamed(keyOf(declaration)!, module, seen);
        return declaration && TYPES.includes(declaration.type) ? { module, declarations: [declaration] } : null;
      }
      if (node.type === 'ExportNamedDeclaration') {
        const specifier = children(node, 'specifiers').find((each) => keyOf(child(each, 'exported')) === name);
        const declared = child(node, 'declaration');
        if (declared && declaredNames(declared).includes(name)) return this.typeNamed(name, module, seen);
        if (!specifier) continue;
        const from = child(node, 'source')?.['value'];
        const local = keyOf(child(specifier, 'local'))!;
        if (typeof from !== 'string') return this.typeNamed(local, module, seen);
        if (!from.startsWith('.')) return 'package';
        const other = await this.beside(from, module, node);
        return other ? this.exportedType(local, other, seen) : null;
      }
      if (node.type !== 'ExportAllDeclaration' || child(node, 'exported')) continue;
      const from = child(node, 'source')!['value'] as string;
      const other = from.startsWith('.') ? await this.beside(from, module, node) : null;
      const found = other ? await this.exportedType(name, other, seen) : null;
      if (found) return found;
    }
    return null;
  }

  /** The import that brings a name into a module. */
  private importOf(name: string, module: Module): { from: string; name: string; node: Node } | null {
    for (const node of module.body) {
      if (node.type !== 'ImportDeclaration') continue;
      const specifier = children(node, 'specifiers').find((each) => keyOf(child(each, 'local')) === name);
      if (!specifier || specifier.type === 'ImportNamespaceSpecifier') continue;
      const imported = specifier.type === 'ImportDefaultSpecifier' ? 'default' : keyOf(child(specifier, 'imported'))!;
      return { from: child(node, 'source')!['value'] as string, name: imported, node };
    }
    return null;
  }

  /** The names declared at the top of a module. */
  private scope(module: Module): Map<string, Node[]> {
    const known = this.#scopes.get(module);
    if (known) return known;
    const scope = new Map<string, Node[]>();
    for (const node of module.body) {
      const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration';
      const declaration = isExport ? child(node, 'declaration') : node;
      if (!declaration) continue;
      for (const name of declaredNames(declaration)) scope.set(name, [...(scope.get(name) ?? []), declaration]);
    }
    this.#scopes.set(module, scope);
    return scope;
  }

  /** A module by the specifier of an import, `./order.ts`; one without an ending, or that names what is compiled, is found as TypeScript finds it. */
  private async beside(specifier: string, from: Module, node: Node): Promise<Module | null> {
    const parts = from.name.split('/').slice(0, -1);
    for (const part of specifier.split('/')) {
      if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
      else if (part !== '.' && part !== '') parts.push(part);
    }
    const base = parts.join('/');
    for (const name of namesOf(base)) {
      const known = this.#known.get(name);
      if (known) {
        const module = await known;
        if (module) return module;
        continue;
      }
      const read = this.#known.size < MODULES ? this.parse(name) : Promise.resolve(null);
      this.#known.set(name, read);
      const module = await read;
      if (module) return module;
    }
    this.#problems.push(problemAt(placeOf(from, child(node, 'source') ?? node), { code: 'source_unreadable', message: `The module ${specifier} could not be read.`, hint: 'Paths of imports count from the module that holds them.' }));
    return null;
  }

  private async parse(name: string): Promise<Module | null> {
    let read: { file: string; content: string | Uint8Array };
    try {
      read = await this.#read(name);
    } catch {
      return null;
    }
    const module = await parseModule(name, read.file, read.content);
    if ('body' in module) return module;
    this.#problems.push(module);
    return null;
  }

  private fromPackage(name: string, module: Module, node: Node): void {
    this.#problems.push(problemAt(placeOf(module, node), { code: 'module_export', severity: 'warning', message: `What a package exports is not read: ${name} is passed over.`, hint: 'Write a function here that calls it, with the types of its parameters.' }));
  }
}

/** The files that a specifier may mean, the likeliest first. */
function namesOf(base: string): string[] {
  const typescript = base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  if (/\.[cm]?[jt]sx?$/.test(base)) return [...new Set([base, typescript, base.replace(/\.([cm]?)js$/, '.d.$1ts')])];
  return [`${base}.ts`, `${base}.tsx`, `${base}.d.ts`, `${base}.js`, `${base}/index.ts`, `${base}/index.d.ts`, `${base}/index.js`];
}

/** The names that a declaration declares. */
function declaredNames(node: Node): string[] {
  if (node.type === 'VariableDeclaration') return children(node, 'declarations').map((each) => keyOf(child(each, 'id'))).filter((name) => name !== null);
  const name = keyOf(child(node, 'id'));
  return name === null ? [] : [name];
}

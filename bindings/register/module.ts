// Turns a TypeScript or JavaScript module into tools of the catalogue, without running it: each exported function is one tool.
import type { ListedTool } from './listing.ts';
import { type Doc, type ParamTag, readDoc } from './module-comments.ts';
import { type Export, type Meaning, Modules, type ReadBeside } from './module-scope.ts';
import { child, children, commentBefore, keyOf, type Module, type Node, parseModule, placeOf } from './module-source.ts';
import { describedBy, firstLine, literalValue, TypeConversion, type Typed, withoutUndefined } from './module-types.ts';
import type { Import } from './openapi.ts';
import { emptyObject, isObject, type JsonObject, type PlaceBook } from './position.ts';
import { type Problem, problemAt } from './problems.ts';

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'TSDeclareFunction', 'TSFunctionType']);
/** Expressions that are seen not to be functions. */
const VALUES = new Set(['Literal', 'TemplateLiteral', 'ObjectExpression', 'ArrayExpression', 'ClassExpression', 'NewExpression', 'UnaryExpression', 'BinaryExpression', 'LogicalExpression', 'UpdateExpression']);
const WRAPPERS = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'ParenthesizedExpression', 'TSTypeAssertion']);

/**
 * Reads the module whose text is `content`. `read` gives modules beside it, for the types and functions it takes from them; `isWanted` says which tools are made, by their name.
 * A tool has the export's name; its description is the first line of the documentation comment. One parameter that is an object makes its members the arguments,
 * otherwise each parameter is one. `x-module` says how the function is called.
 * Codes: module_syntax, module_depth, module_size, module_type, module_untyped, module_parameter, module_overload, module_default, source_unreadable, source_encoding, and the warnings module_export, module_result, module_empty.
 */
export async function readModule(file: string, content: string | Uint8Array, book: PlaceBook, read: ReadBeside, isWanted: (name: string) => boolean): Promise<Import> {
  const problems: Problem[] = [];
  const module = await parseModule(file.replace(/^.*[/\\]/, ''), file, content);
  if (!('body' in module)) return { names: [], tools: [], problems: [module] };
  const reader = new Reader(module, new Modules(module, read, problems), book, problems);
  for (const one of await reader.modules.exports(module)) await reader.export(one, isWanted);
  const whole = { source: module.source, start: 0, end: 0 };
  for (const node of module.body) if (node.type === 'TSExportAssignment') reader.warn(module, node, 'module_export', 'export = is not read.', 'Write export before the functions that are tools.');
  if (reader.names.length === 0) problems.push(problemAt(whole, { code: 'module_empty', severity: 'warning', message: 'The module exports no function: no tool is imported.', hint: 'Write export before the functions that are tools. What CommonJS exports is not read.' }));
  return { names: reader.names, tools: reader.tools, problems };
}

/** One parameter of a function. */
interface Parameter { name: string; type: Typed | null; isOptional: boolean; isRest: boolean; node: Node; pattern: Node }

class Reader {
  readonly names: string[] = [];
  readonly tools: ListedTool[] = [];
  readonly modules: Modules;
  readonly #named: Module;
  readonly #book: PlaceBook;
  readonly #problems: Problem[];

  constructor(named: Module, modules: Modules, book: PlaceBook, problems: Problem[]) {
    this.#named = named;
    this.modules = modules;
    this.#book = book;
    this.#problems = problems;
  }

  async export(one: Export, isWanted: (name: string) => boolean): Promise<void> {
    const meaning = await this.modules.valueOf(one);
    if (meaning === 'package') return this.warn(one.module, one.node, 'module_export', `What a package exports is not read: ${one.name} is passed over.`, 'Write a function here that calls it, with the types of its parameters.');
    const found = meaning ? await this.functionOf(one, meaning) : null;
    if (!found) return;
    const name = one.name === 'default' ? found.name : one.name;
    if (name === null) return this.refuse(one.module, one.node, 'module_default', 'The function that is the default has no name: neither has the tool.', 'Write export default function NAME(…).');
    this.names.push(name);
    if (isWanted(name)) await this.tool(name, one, found);
  }

  /** The function behind an export, the module it stands in and where its comment would end; null where it is none. */
  private async functionOf(one: Export, { module, declarations }: Meaning, depth = 0): Promise<Found | null> {
    const functions = declarations.filter(({ type }) => FUNCTIONS.has(type));
    if (functions.length > 1) {
      this.refuse(module, functions[0]!, 'module_overload', `${one.name} has several signatures: a tool has one.`, 'Export one function for each.');
      return null;
    }
    const [declaration] = declarations as [Node];
    const name = keyOf(child(declaration, 'id'));
    if (functions[0]) return { name, node: functions[0], signature: functions[0], module, docAt: this.statement(module, functions[0]) };
    if (declaration.type !== 'VariableDeclaration') {
      if (declaration.type === 'ArrowFunctionExpression') return { name: null, node: declaration, signature: declaration, module, docAt: this.statement(module, declaration) };
      return VALUES.has(declaration.type) || /Declaration$/.test(declaration.type) ? null : this.unseen(one, module, declaration);
    }
    const wanted = one.local ?? one.name;
    const declarator = children(declaration, 'declarations').find((each) => keyOf(child(each, 'id')) === wanted)!;
    let init = child(declarator, 'init');
    while (init && WRAPPERS.has(init.type)) init = child(init, 'expression');
    const declared = child(child(child(declarator, 'id')!, 'typeAnnotation') ?? declarator, 'typeAnnotation');
    const docAt = this.statement(module, declaration);
    if (init && FUNCTIONS.has(init.type)) return { name: wanted, node: init, signature: declared?.type === 'TSFunctionType' ? declared : init, module, docAt };
    if (declared?.type === 'TSFunctionType') return { name: wanted, node: declared, signature: declared, module, docAt };
    if (init?.type === 'Identifier' && depth < 16) {
      const other = await this.modules.valueNamed(keyOf(init)!, module);
      if (other && other !== 'package') return this.functionOf({ ...one, local: keyOf(init)! }, other, depth + 1);
    }
    return !init || VALUES.has(init.type) ? null : this.unseen(one, module, init);
  }

  private unseen({ name }: Export, module: Module, node: Node): null {
    this.warn(module, node, 'module_export', `Whether ${name} is a function is not seen without running the module: it is passed over.`, 'Write it as a function, with the types of its parameters.');
    return null;
  }

  /** Where the statement of a declaration begins, `export` included. */
  private statement(module: Module, declaration: Node): number {
    return module.body.find(({ start, end }) => start <= declaration.start && declaration.end <= end)?.start ?? declaration.start;
  }

  private async tool(name: string, one: Export, { node, signature, module, docAt }: Found): Promise<void> {
    const comment = commentBefore(module, docAt);
    const doc = await readDoc(comment, module, this.#problems);
    const at = placeOf(module, child(node, 'id') ?? { start: node.start, end: Math.min(node.end, node.start + 1) });
    const place = one.module === this.#named ? placeOf(one.module, one.node) : at;
    const tool = emptyObject();
    tool['name'] = name;
    this.#book.note(tool, 'name', { value: at });
    const description = firstLine(comment?.text);
    if (description !== '') {
      tool['description'] = description;
      this.#book.note(tool, 'description', { value: placeOf(module, comment!) });
    }
    const types = new TypeConversion(this.modules, this.#book, this.#problems);
    const call = emptyObject();
    call['export'] = one.name;
    tool['parameters'] = await this.arguments(await this.parameters(signature, node, module, doc), doc, types, call, module);
    this.#book.note(tool, 'parameters', { value: at });
    await types.finish(tool['parameters'] as JsonObject);
    await this.result(tool, signature, node, module, doc);
    tool['x-module'] = call;
    this.tools.push({ name, tool, place });
  }

  /** The parameters, each with its type: from the code, else from the comment, else from its default. */
  private async parameters(signature: Node, node: Node, module: Module, doc: Doc): Promise<Parameter[]> {
    const list = children(signature, signature.type === 'TSFunctionType' ? 'parameters' : 'params').filter((each) => keyOf(each) !== 'this');
    const bodies = children(node, node.type === 'TSFunctionType' ? 'parameters' : 'params').filter((each) => keyOf(each) !== 'this');
    const roots = doc.params.filter(({ name }) => !name.includes('.'));
    const found: Parameter[] = [];
    for (const [index, each] of list.entries()) {
      const isRest = each.type === 'RestElement';
      const hasDefault = (bodies[index] ?? each).type === 'AssignmentPattern';
      const pattern = isRest ? child(each, 'argument')! : each.type === 'AssignmentPattern' ? child(each, 'left')! : each;
      const tag = roots.find(({ name }) => name === keyOf(pattern)) ?? (keyOf(pattern) === null ? roots[index] : undefined);
      const annotation = child(child(pattern, 'typeAnnotation') ?? child(each, 'typeAnnotation') ?? each, 'typeAnnotation');
      const written = annotation && annotation.type !== 'TSTypeAnnotation' ? annotation : null;
      const type = written ?? tag?.type ?? null;
      const present = type ? withoutUndefined(type) : null;
      found.push({
        name: keyOf(pattern) ?? tag?.name ?? '', type: present ? { node: present.node, module } : null, node: each, pattern, isRest,
        isOptional: pattern['optional'] === true || hasDefault || isRest || (!written && tag?.isOptional === true) || present?.isOptional === true,
      });
    }
    return found;
  }

  private async arguments(parameters: Parameter[], doc: Doc, types: TypeConversion, call: JsonObject, module: Module): Promise<JsonObject> {
    const [only] = parameters;
    const members = only && parameters.length === 1 && !only.isRest ? await this.members(only, doc, types, module) : null;
    if (members && isObject(members['properties']) && Object.keys(members['properties']).length > 0 && !(only!.isOptional && members['required'] !== undefined)) {
      call['call'] = 'object';
      this.defaultsOf(members['properties'], only!.pattern);
      return members;
    }
    call['call'] = 'positional';
    const out = emptyObject();
    const properties = emptyObject();
    const required: string[] = [];
    out['type'] = 'object';
    out['properties'] = properties;
    for (const parameter of parameters) {
      const name = parameter.name;
      if (name === '' || Object.hasOwn(properties, name)) {
        this.refuse(module, parameter.node, 'module_parameter', 'This parameter has no name that an argument could have.', 'Give each parameter a name of its own, or take one object.');
        continue;
      }
      const schema = parameter.type ? await types.convert(parameter.type) : members ?? this.untyped(parameter, module);
      const tag = doc.params.find((each) => each.name === name);
      properties[name] = describedBy(this.defaulted(schema, parameter.node), tag?.text ?? '');
      this.#book.note(properties, name, { name: placeOf(module, parameter.pattern), value: placeOf(module, parameter.node) });
      if (!parameter.isOptional) required.push(name);
    }
    if (required.length > 0) out['required'] = required;
    out['additionalProperties'] = false;
    call['arguments'] = Object.keys(properties);
    if (parameters.at(-1)?.isRest) call['rest'] = true;
    return out;
  }

  /** The members of a parameter that is an object; null where it is none. */
  private async members(parameter: Parameter, doc: Doc, types: TypeConversion, module: Module): Promise<JsonObject | null> {
    const tags = doc.params.filter(({ name }) => name.startsWith(`${parameter.name}.`) && parameter.name !== '');
    const isPlain = parameter.type === null || parameter.type.node.type === 'TSObjectKeyword';
    if (tags.length > 0 && isPlain) return this.tagged(tags, parameter.name, types, module);
    if (!parameter.type) return null;
    const members = await types.members(parameter.type);
    if (!members || !isObject(members['properties'])) return members;
    for (const { name, text } of tags) {
      const property = members['properties'][name.slice(parameter.name.length + 1)];
      if (isObject(property)) describedBy(property, text);
    }
    return members;
  }

  /** An object whose members a comment names: `@param {string} order.id`. */
  private async tagged(tags: ParamTag[], parent: string, types: TypeConversion, module: Module): Promise<JsonObject> {
    const out = emptyObject();
    const properties = emptyObject();
    const required: string[] = [];
    out['type'] = 'object';
    out['properties'] = properties;
    for (const { name, type, isOptional, text, start, end } of tags) {
      const member = name.slice(parent.length + 1);
      if (member.includes('.') || !type) {
        this.refuse(module, { start, end }, member.includes('.') ? 'module_type' : 'module_untyped', `${name} is not read.`, member.includes('.') ? `Write the type of its parent: {${'{'}id: string}}.` : 'Write its type in braces before the name.');
        continue;
      }
      const present = withoutUndefined(type);
      properties[member] = describedBy(present ? await types.convert({ node: present.node, module }) : emptyObject(), text);
      this.#book.note(properties, member, { value: placeOf(module, { start, end }) });
      if (!isOptional && present && !present.isOptional) required.push(member);
    }
    if (required.length > 0) out['required'] = required;
    return out;
  }

  /** What a parameter without a type takes: what its default is of, else it is refused. */
  private untyped(parameter: Parameter, module: Module): JsonObject {
    const right = parameter.node.type === 'AssignmentPattern' ? child(parameter.node, 'right') : null;
    const value = right ? literalValue(right) : undefined;
    const out = emptyObject();
    if (['string', 'number', 'boolean'].includes(typeof value)) out['type'] = typeof value;
    else this.refuse(module, parameter.node, 'module_untyped', `The parameter ${parameter.name} has no type.`, `Write ${parameter.name}: string, or @param {string} ${parameter.name} in the comment.`);
    return out;
  }

  /** Notes the defaults that a pattern gives to members: `{ limit = 10 }: Options`. */
  private defaultsOf(properties: JsonObject, pattern: Node): void {
    if (pattern.type !== 'ObjectPattern') return;
    for (const property of children(pattern, 'properties')) {
      const name = keyOf(child(property, 'key'));
      const value = child(property, 'value');
      const schema = name === null ? undefined : properties[name];
      if (value && isObject(schema)) this.defaulted(schema, value);
    }
  }

  private defaulted(schema: JsonObject, node: Node): JsonObject {
    const right = node.type === 'AssignmentPattern' ? child(node, 'right') : null;
    const value = right ? literalValue(right) : undefined;
    if (value !== undefined) schema['default'] = value;
    return schema;
  }

  /** The result's schema, where the function says its type. One that is not read is no error: the tool then has none. */
  private async result(tool: JsonObject, signature: Node, node: Node, module: Module, doc: Doc): Promise<void> {
    const annotation = signature.type === 'TSFunctionType' ? child(signature, 'typeAnnotation') : child(signature, 'returnType') ?? child(node, 'returnType');
    let type = (annotation ? child(annotation, 'typeAnnotation') : null) ?? doc.returns;
    for (let unwrapped = 0; type?.type === 'TSTypeReference' && ['Promise', 'PromiseLike', 'Awaited'].includes(keyOf(child(type, 'typeName')) ?? '') && unwrapped < 8; unwrapped++) {
      type = children(child(type, 'typeArguments') ?? type, 'params')[0] ?? null;
    }
    if (type?.type === 'TSNeverKeyword') return;
    const present = type ? withoutUndefined(type) : null;
    if (!type || !present || ['TSAnyKeyword', 'TSUnknownKeyword'].includes(present.node.type)) return;
    const problems: Problem[] = [];
    const types = new TypeConversion(this.modules, this.#book, problems);
    const typed = { node: present.node, module };
    const result = (await types.members(typed)) ?? await types.convert(typed);
    await types.finish(result);
    if (problems.length > 0) {
      this.#problems.push(...problems.map((problem): Problem => ({ ...problem, code: 'module_result', severity: 'warning', message: `${problem.message} The tool has no result schema.` })));
      return;
    }
    tool['result'] = result;
    this.#book.note(tool, 'result', { value: placeOf(module, type) });
  }

  warn(module: Module, node: { start: number; end: number }, code: string, message: string, hint: string): void {
    this.#problems.push(problemAt(placeOf(module, node), { code, severity: 'warning', message, hint }));
  }

  private refuse(module: Module, node: { start: number; end: number }, code: string, message: string, hint: string): void {
    this.#problems.push(problemAt(placeOf(module, node), { code, message, hint }));
  }
}

/** A function: the node of its code, the one that says its types, its own name, and where its comment would end. */
interface Found { name: string | null; node: Node; signature: Node; module: Module; docAt: number }

// The API's own document as a contract: every answer of an operation has a status, a content type and a body that the document has, and a body that was taken is one that it describes.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { apiDocument } from "../../../hosts/gateway/doors/http/document.ts";
import { createApi } from "../../../hosts/gateway/doors/http/door.ts";

interface Media {
  readonly schema: { readonly type?: string };
}
interface DocumentedOperation {
  readonly operationId: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>>;
}
/** An operation of the document, with the place it has there. */
export interface Found {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

export const PUBLIC_URL = "http://gate.test";
export const DOCUMENT = JSON.parse(JSON.stringify(apiDocument(createApi(), PUBLIC_URL))) as { readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>> };

/** Every operation of the document. */
export const OPERATIONS: readonly Found[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ id: operation.operationId, method: method.toUpperCase(), path, operation })));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(DOCUMENT as object, "api", undefined, false);
const compiled = new Map<string, ValidateFunction>();

/** The operation that a request asks for; null for a path or a method that the document has not. */
export function operationOf(method: string, path: string): Found | null {
  const asked = path.split("?")[0]!.split("/");
  const fits = OPERATIONS.filter((each) => each.method === method && matches(each.path.split("/"), asked));
  // A path without a parameter goes before one with it.
  return fits.sort((one, other) => Number(one.path.includes("{")) - Number(other.path.includes("{")))[0] ?? null;
}

function matches(template: readonly string[], path: readonly string[]): boolean {
  return template.length === path.length && template.every((part, index) => part === path[index] || (/^\{\w+\}$/.test(part) && path[index] !== ""));
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The body that was sent, where it was JSON text. */
  readonly sent?: string | undefined;
  readonly sentType?: string | undefined;
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
}

/** The statuses that operations were seen to answer, `operation status`. */
export const SEEN = new Set<string>();

/** What of an exchange the document does not have; null where all is as documented. */
export function broken({ method, path, sent, sentType, status, type, text }: Exchange): string | null {
  const found = operationOf(method, path);
  if (found === null) return status < 400 ? `${method} ${path} answers ${status}, and the document has no such operation` : status === 404 || status === 405 || type === "application/json" ? null : `${method} ${path}: ${status} ${type}`;
  const { id, operation } = found;
  SEEN.add(`${id} ${status}`);
  const told = operation.responses[status];
  if (told === undefined) return `${id}: the status ${status} is not documented: ${text.slice(0, 200)}`;
  if (status < 300 && sent !== undefined && sentType === "application/json" && operation.requestBody?.content["application/json"]?.schema.type !== "string") {
    const wrong = unlike([found, "requestBody", "content", "application/json", "schema"], JSON.parse(sent));
    if (wrong !== null) return `${id}: a body that is taken is not as documented: ${wrong}`;
  }
  if (told.content === undefined) return text === "" ? null : `${id}: ${status} has a body that is not documented`;
  const media = type?.split(";")[0] ?? "none";
  const content = told.content[media];
  if (content === undefined) return `${id}: ${status} is ${media}, and ${Object.keys(told.content).join(", ")} is documented`;
  const wrong = unlike([found, "responses", String(status), "content", media, "schema"], media === "application/json" ? JSON.parse(text) : text);
  return wrong === null ? null : `${id}: the body of ${status} is not as documented: ${wrong}\n${text.slice(0, 1000)}`;
}

/** What a value is not, of the schema at a place of the document. */
function unlike([{ path, method }, ...place]: [Found, ...string[]], value: unknown): string | null {
  const pointer = ["paths", path, method.toLowerCase(), ...place].map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");
  const check = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` });
  compiled.set(pointer, check);
  return check(value) ? null : ajv.errorsText(check.errors);
}

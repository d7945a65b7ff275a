// One operation of the API: its path, its documentation and the function that answers it, mounted together so that neither is there without the other.
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { unauthorized } from "../../../shared/web/callers.ts";
import { Failure, jsonResponse } from "../../../shared/web/failure.ts";
import type { Grant } from "../../config/settings.ts";
import type { Caller } from "../../gateway.ts";
import { shaped } from "./bodies.ts";
import type { Kind } from "./guard.ts";
import type { Asked } from "./parts.ts";
import { errorBody } from "./shapes.ts";

type Shape = Record<string, z.ZodType>;
type Values<Of extends Shape> = z.infer<z.ZodObject<Of>>;

/** What a route answers with, by status. A string is a description without a body. */
type Answers = Readonly<Record<number, { readonly what: string; readonly shape: z.ZodType; readonly type?: string } | string>>;

/** An operation. `may`: any of these grants is wanted; without it every caller may. */
export interface Operation<Path extends Shape, Query extends Shape> {
  readonly method: "get" | "post" | "delete";
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly tag: string;
  /** `nobody`: no caller is needed. */
  readonly open?: "nobody" | "anyone";
  readonly may?: readonly Grant[];
  readonly params?: Path;
  readonly query?: Query;
  readonly headers?: Shape;
  readonly body?: { readonly shape: z.ZodType; readonly types?: readonly string[] };
  readonly answers: Answers;
  /** Codes of failures besides those that every operation has, by status. */
  readonly failures?: Readonly<Record<number, string>>;
  /** Whether a waiting request is no work: its place is counted among those that wait. */
  readonly waits?: boolean;
  /** Whether it is a stream that stands: its place is counted among those. */
  readonly streams?: boolean;
  answer(asked: Asked, given: { readonly params: Values<Path>; readonly query: Values<Query> }): Promise<Response>;
}

/** The one path that is answered under every Host: probes know an address only. */
export const ANY_HOST = "/healthz";

/** What the router has of a request. */
export interface Env {
  Bindings: { readonly asked: (needs: { readonly caller: boolean; readonly kind: Kind }) => Promise<Omit<Asked, "stands">>; readonly request: Request };
}

export type Router = OpenAPIHono<Env>;

/** The paths that are mounted, with their methods: for 405. */
export class Api {
  readonly router: Router = new OpenAPIHono<Env>();
  readonly #methods = new Map<string, Set<string>>();

  mount<Path extends Shape, Query extends Shape>(operation: Operation<Path, Query>): void {
    const { method, params, query, open } = operation;
    const route = createRoute(documented(operation));
    this.router.openAPIRegistry.registerPath(route);
    const path = route.getRoutingPath();
    this.#methods.set(path, (this.#methods.get(path) ?? new Set<string>()).add(method.toUpperCase()));
    // Made once: what zod makes of a shape at its first use takes longer than the rest of a request.
    const [paramsShape, queryShape] = [z.object(params ?? ({} as Path)), z.strictObject(query ?? ({} as Query))];
    this.router.on(method, path, async (context) => {
      if (context.req.raw.method === "HEAD" && open !== "nobody") throw this.#method(path);
      const asked = await context.env.asked({ caller: open !== "nobody", kind: kindOf(operation, context.req.query("wait") !== undefined) });
      const stands = async (): Promise<void> => {
        if (open === "nobody") return;
        const { name, tenant, may } = await asked.parts.authenticate(asked.request);
        if (name !== asked.caller.name || tenant !== asked.caller.tenant) throw unauthorized();
        if (operation.may !== undefined) requireAny({ may }, operation.may);
      };
      if (open !== "nobody" && operation.may !== undefined) requireAny(asked.caller, operation.may);
      const given = { params: paramsOf<Path>(paramsShape, context.req.param()), query: queryOf<Query>(queryShape, asked.url) };
      return operation.answer({ ...asked, stands }, given);
    });
  }

  /** Closes the list: any other method of a mounted path is 405, and any other path 404. */
  close(): Router {
    for (const path of this.#methods.keys())
      this.router.all(path, async (context) => {
        await context.env.asked({ caller: path.startsWith("/v1/") && path !== "/v1/openapi.json", kind: "works" });
        throw this.#method(path);
      });
    this.router.notFound(async (context) => {
      if (new URL(context.req.url).pathname.startsWith("/v1")) await context.env.asked({ caller: true, kind: "works" });
      throw new Failure(404, "not_found", "there is nothing here");
    });
    this.router.onError((error) => {
      throw error;
    });
    return this.router;
  }

  #method(path: string): Failure {
    const allow = [...(this.#methods.get(path) ?? [])].join(", ");
    return new Failure(405, "method", `this path takes ${allow}`, { headers: { allow } });
  }
}

function kindOf({ streams, waits, query }: Pick<Operation<Shape, Shape>, "streams" | "waits" | "query">, asksToWait: boolean): Kind {
  if (streams === true) return "streams";
  return waits === true || (asksToWait && query !== undefined && Object.hasOwn(query, "wait")) ? "waits" : "works";
}

/** Fails with `not_granted` where the caller has none of the grants. */
export function requireAny({ may }: Pick<Caller, "may">, grants: readonly Grant[]): void {
  if (grants.some((grant) => may.has(grant))) return;
  throw new Failure(403, "not_granted", `this caller may not do this: ${grants.map((grant) => `\`${grant}\``).join(" or ")} is not among its grants`);
}

/** A JSON answer of a value. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return jsonResponse(status, JSON.stringify(value), headers);
}

/** What stands in the path's places. Fails with `not_found`, also where something stands there that nothing is named. */
function paramsOf<Path extends Shape>(shape: z.ZodObject<Path>, values: Record<string, string>): Values<Path> {
  const read = shape.safeParse(values);
  if (read.success && Object.values(values).every((value) => value.isWellFormed() && !/[\0-\x1f\x7f]/.test(value))) return read.data as Values<Path>;
  throw new Failure(404, "not_found", "there is nothing here: a name in the path is none");
}

/** The query's values. Fails with `request_invalid` at a parameter that there is not, is there twice, or is wrong. */
function queryOf<Query extends Shape>(shape: z.ZodType<Values<Query>>, url: URL): Values<Query> {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of url.searchParams) {
    if (name in values) throw new Failure(400, "request_invalid", "this parameter is there twice", { pointer: `/?${name.slice(0, 64)}` });
    values[name] = value;
  }
  try {
    return shaped(shape, { ...values });
  } catch (error) {
    if (error instanceof Failure && error.more.pointer !== undefined) throw new Failure(400, "request_invalid", `parameter: ${error.message}`, { pointer: `/?${error.more.pointer.slice(1, 65)}` });
    throw error;
  }
}

const COMMON: Readonly<Record<number, string>> = { 400: "request_invalid, json_…", 401: "unauthorized", 403: "not_granted, origin_unknown", 421: "host_unknown", 500: "internal", 503: "busy, stopping, issuer_unavailable, engine_unavailable" };
/** What an operation that needs no caller fails with. */
const OPEN: Readonly<Record<number, string>> = { 400: "request_invalid", 403: "origin_unknown", 421: "host_unknown", 500: "internal", 503: "busy, stopping" };
const WITH_BODY: Readonly<Record<number, string>> = { 408: "body_time", 413: "body_size", 415: "content_type" };

function documented<Path extends Shape, Query extends Shape>(operation: Operation<Path, Query>) {
  const { method, path, id, summary, tag, params, query, headers, body, answers, failures, open, may } = operation;
  const usual: Readonly<Record<number, string>> = open === "nobody" ? OPEN : { ...COMMON, ...(body === undefined ? {} : WITH_BODY) };
  const merged: Record<number, string> = { ...usual };
  for (const [status, told] of Object.entries(failures ?? {})) merged[Number(status)] = Object.hasOwn(usual, status) ? `${usual[Number(status)]}, ${told}` : told;
  if (path === ANY_HOST) delete merged[421];
  const responses: Record<string, { description: string; content?: Record<string, { schema: z.ZodType }> }> = {};
  for (const [status, told] of Object.entries(merged)) responses[status] = { description: told, content: { "application/json": { schema: errorBody } } };
  for (const [status, answer] of Object.entries(answers))
    responses[status] = typeof answer === "string" ? { description: answer } : { description: answer.what, content: { [answer.type ?? "application/json"]: { schema: answer.shape } } };
  return {
    method,
    path,
    operationId: id,
    summary,
    tags: [tag],
    ...(may === undefined ? {} : { description: `For callers granted ${may.join(" or ")}.` }),
    ...(open === "nobody" ? { security: [] } : { security: [{ bearer: [] }] }),
    request: {
      ...(params === undefined ? {} : { params: z.object(params) }),
      ...(query === undefined ? {} : { query: z.object(query) }),
      ...(headers === undefined ? {} : { headers: z.object(headers) }),
      ...(body === undefined ? {} : { body: { required: true, content: Object.fromEntries((body.types ?? ["application/json"]).map((type) => [type, { schema: body.shape }])) } }),
    },
    responses,
  };
}

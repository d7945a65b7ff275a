// A route of the API: its place in the OpenAPI document and its work, in one call; bodies are documented and read by hand.
import { createRoute, type OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Asked } from "./context.ts";
import { ErrorAnswer } from "./schemas.ts";

export type App = OpenAPIHono<{ Bindings: { asked: Asked } }>;

export interface Told {
  readonly method: "get" | "post" | "delete";
  /** As OpenAPI writes it: `/v1/calls/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly body?: z.ZodType;
  /** The answer of status 200; or another type of content than JSON. */
  readonly answer: z.ZodType | { readonly type: string };
  /** Other statuses that answer with the same shape. */
  readonly also?: readonly number[];
  readonly query?: Readonly<Record<string, string>>;
}

/** Adds a route. `work` answers a Response, or what is told as JSON. */
export function route(app: App, told: Told, work: (asked: Asked, parameters: Readonly<Record<string, string>>) => Promise<unknown>): void {
  const { method, path, summary, tag, body, answer, query = {}, also = [] } = told;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const content = "type" in answer && typeof answer.type === "string" && !("parse" in answer) ? { [answer.type]: { schema: { type: "string" as const } } } : { "application/json": { schema: answer as z.ZodType } };
  const response = (description: string) => ({ description, content });
  const definition = createRoute({
    method,
    path,
    summary,
    tags: [tag],
    ...(path === "/v1/healthz" || path === "/v1/openapi.json" ? { security: [] } : {}),
    request: body === undefined ? {} : { body: { required: true, content: { "application/json": { schema: body } } } },
    responses: { 200: response("as it says"), ...Object.fromEntries(also.map((status) => [status, response("as it says")])), default: { description: "a coded error", content: { "application/json": { schema: ErrorAnswer } } } },
  });
  // Parameters are told and not validated here: what they name is looked up, and is not there where they are strange.
  const parameters = {
    parameters: [...names.map((name) => ({ in: "path", name, required: true, schema: { type: "string" } })), ...Object.entries(query).map(([name, description]) => ({ in: "query", name, required: false, description, schema: { type: "string" } }))],
  };
  app.openAPIRegistry.registerPath({ ...definition, ...parameters } as never);
  app.on(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
    const said = await work(context.env.asked, context.req.param());
    return said instanceof Response ? said : Response.json(said);
  });
}

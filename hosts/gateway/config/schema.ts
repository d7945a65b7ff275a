// The published JSON Schema of the gateway's file (dist/gateway.schema.json), for editors: made from the description that the reader goes by.
import { z } from "zod";
import { ofOneTenant, ofTenants } from "./shape.ts";

/** The schema as JSON text (draft 2020-12). What one member says about another (a caller's tenant exists, a secret's file can be read) is the reader's alone. */
export function gatewaySchemaText(): string {
  const of = (shape: z.core.$ZodType) => {
    const { $schema: _, ...schema } = z.toJSONSchema(shape, { io: "input", target: "draft-2020-12" });
    return schema;
  };
  return `${JSON.stringify(
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Interlock gateway",
      description: "The configuration of `interlock gateway`: one tenant with its members at the top, or several below `tenants`.",
      type: "object",
      if: { required: ["tenants"] },
      then: of(ofTenants),
      else: of(ofOneTenant),
    },
    null,
    2,
  )}\n`;
}

// Tools with unusual input schemas: keywords of JSON Schema 2020-12, and an argument that is also sent as a header.

import { fromJsonSchema, type McpServer } from "@modelcontextprotocol/server"
import { text } from "../samples.ts"

const contact = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
}

const region = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
  required: ["region"],
}

export function registerSchemas(server: McpServer): void {
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Takes a contact.", inputSchema: fromJsonSchema(contact) },
    () => text("Took the contact."),
  )
  server.registerTool(
    "test_custom_header",
    { description: "Takes a region that is in a header, too.", inputSchema: fromJsonSchema(region) },
    () => text("Took the region."),
  )
}

// Validates arguments and structured output against the schemas of the tool, with the validator of the MCP SDK.

import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"

type Schema = Readonly<Record<string, unknown>>

interface SchemaCheck {
  readonly isUsable: boolean
  readonly problem: (value: unknown) => string | undefined
}

/** Describes in words how the value does not fit the schema. Undefined when it fits. */
export function schemaProblem(schema: Schema, value: unknown): string | undefined {
  return checkOf(schema).problem(value)
}

/** Like `schemaProblem`, but a schema that cannot be used lets every value pass. */
export function problemIfUsable(schema: Schema, value: unknown): string | undefined {
  const { isUsable, problem } = checkOf(schema)
  return isUsable ? problem(value) : undefined
}

function checkOf(schema: Schema): SchemaCheck {
  const check = checks.get(schema) ?? compile(schema)
  checks.set(schema, check)
  return check
}

/** Why the schema itself is not valid. Undefined when it is valid. */
export function schemaError(schema: Schema): string | undefined {
  try {
    new AjvJsonSchemaValidator().getValidator(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const checks = new WeakMap<Schema, SchemaCheck>()

/** Creates a validator for each schema, because validators cache every schema that they have compiled. */
function compile(schema: Schema): SchemaCheck {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema)
    return { isUsable: true, problem: (value) => validate(value).errorMessage }
  } catch (error) {
    const problem = `the schema itself cannot be used (${error instanceof Error ? error.message : String(error)})`
    return { isUsable: false, problem: () => problem }
  }
}

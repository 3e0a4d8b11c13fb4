// Whether arguments and structured output are what the schemas of the tool declare, by the validator of the MCP SDK.

import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv"

type Schema = Readonly<Record<string, unknown>>

interface Check {
  readonly isUsable: boolean
  readonly problem: (value: unknown) => string | undefined
}

/** What does not fit the schema, in words. Undefined when the value fits. */
export function schemaProblem(schema: Schema, value: unknown): string | undefined {
  return checkOf(schema).problem(value)
}

/** Like `schemaProblem`, but a schema that cannot be used lets every value pass. */
export function problemIfUsable(schema: Schema, value: unknown): string | undefined {
  const { isUsable, problem } = checkOf(schema)
  return isUsable ? problem(value) : undefined
}

function checkOf(schema: Schema): Check {
  const check = checks.get(schema) ?? compile(schema)
  checks.set(schema, check)
  return check
}

/** Why the schema itself cannot be used. Undefined when it can. */
export function schemaFault(schema: Schema): string | undefined {
  try {
    new AjvJsonSchemaValidator().getValidator(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const checks = new WeakMap<Schema, Check>()

/** A validator for each schema, because validators keep all that they have compiled. */
function compile(schema: Schema): Check {
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema)
    return { isUsable: true, problem: (value) => validate(value).errorMessage }
  } catch (error) {
    const problem = `the schema itself cannot be used (${error instanceof Error ? error.message : String(error)})`
    return { isUsable: false, problem: () => problem }
  }
}

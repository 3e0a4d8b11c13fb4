// Checks the arguments of a tool call against the tool's schema, both those that a model chose and those that a person
// edited.

type Schema = Readonly<Record<string, unknown>>
type Check = (input: unknown) => string | undefined

/**
 * Returns the problems in words, or undefined when the input is valid. Throws when the schema itself is unusable.
 */
export async function argumentProblem(schema: Schema, input: unknown): Promise<string | undefined> {
  const check = checks.get(schema) ?? (await compile(schema))
  checks.set(schema, check)
  return check(input)
}

/** Parses the arguments that a person wrote, and checks them against the schema. */
export async function readArguments(
  schema: Schema,
  text: string,
): Promise<{ readonly input: unknown } | { readonly problem: string }> {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    return { problem: `they are not JSON (${String(error)}).` }
  }
  const problem = await argumentProblem(schema, input).catch(() => "they cannot be checked against the tool's schema.")
  return problem === undefined ? { input } : { problem }
}

const checks = new WeakMap<Schema, Check>()

/**
 * Creates the check of a schema. Loads Ajv with the first call. Each schema gets its own validator, because a validator
 * keeps every schema that it has compiled in memory.
 */
async function compile(schema: Schema): Promise<Check> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv")
  const validate = new AjvJsonSchemaValidator().getValidator(schema)
  return (input) => validate(input).errorMessage
}

// The arguments of a tool call against the tool's schema: those that a model chose, and those that a person edited.

type Schema = Readonly<Record<string, unknown>>
type Check = (input: unknown) => string | undefined

/** What does not fit, in words. Undefined when everything does. Throws when the schema itself cannot be used. */
export async function argumentProblem(schema: Schema, input: unknown): Promise<string | undefined> {
  const check = checks.get(schema) ?? (await compile(schema))
  checks.set(schema, check)
  return check(input)
}

/** Reads what a person wrote as arguments. Nothing is returned that does not fit the schema. */
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
  const problem = await argumentProblem(schema, input).catch(() => "the tool's schema cannot be checked.")
  return problem === undefined ? { input } : { problem }
}

const checks = new WeakMap<Schema, Check>()

/** Loaded with the first call. A validator for each schema, because validators keep all that they have compiled. */
async function compile(schema: Schema): Promise<Check> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv")
  const validate = new AjvJsonSchemaValidator().getValidator(schema)
  return (input) => validate(input).errorMessage
}

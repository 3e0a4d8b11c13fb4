// Checks the arguments of a tool call against the tool's schema, both those that a model chose and those that a person
// edited. The schema of a foreign tool is checked within limits.

import type { CheckResult } from "./schema/foreign-check.ts"

type Schema = Readonly<Record<string, unknown>>
type OwnCheck = (input: unknown) => CheckResult

/** The part of a tool that describes its arguments. `origin` is set for a tool of an MCP server. */
export interface CheckedTool {
  readonly inputSchema: Schema
  readonly origin?: object | undefined
}

/**
 * Returns the problems in words, or undefined when the input is valid, or when the schema itself is unusable: then the
 * tool has to validate its arguments. A foreign schema that takes too long is a problem, and its tool is not called.
 */
export async function argumentProblem(tool: CheckedTool, input: unknown): Promise<string | undefined> {
  const result = await check(tool, input)
  return result.kind === "unusable" ? undefined : problemOf(result)
}

/** Parses the arguments that a person wrote, and checks them against the schema. */
export async function readArguments(
  tool: CheckedTool,
  text: string,
): Promise<{ readonly input: unknown } | { readonly problem: string }> {
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    return { problem: `they are not JSON (${String(error)}).` }
  }
  const result = await check(tool, input)
  const problem = result.kind === "unusable" ? "they cannot be checked against the tool's schema." : problemOf(result)
  return problem === undefined ? { input } : { problem }
}

const problemOf = (result: Exclude<CheckResult, { kind: "unusable" }>): string | undefined =>
  result.kind === "checked" ? result.problem : tooCostlyWords(result.words)

const tooCostlyWords = (limit: string): string =>
  `The arguments cannot be checked: with the schema that the tool's server lists, that takes ${limit}. The tool was not called. Do not call it again; tell the user that this tool cannot be used.`

/** Functions of the configuration have schemas that the operator wrote, which may contain any pattern. */
const check = ({ inputSchema, origin }: CheckedTool, input: unknown): Promise<CheckResult> =>
  origin === undefined ? checkOwn(inputSchema, input) : checkOthers(inputSchema, input)

async function checkOthers(schema: Schema, input: unknown): Promise<CheckResult> {
  // A file of its own in every bundle, because its thread runs the same file.
  const { checkForeign } = await import("./schema/foreign-check.ts")
  return checkForeign(schema, input)
}

async function checkOwn(schema: Schema, input: unknown): Promise<CheckResult> {
  const ownCheck = checks.get(schema) ?? (await compile(schema))
  checks.set(schema, ownCheck)
  return ownCheck(input)
}

const checks = new WeakMap<Schema, OwnCheck>()

/**
 * Creates the check of a schema. Loads Ajv with the first call. Each schema gets its own validator, because a validator
 * keeps every schema that it has compiled in memory.
 */
async function compile(schema: Schema): Promise<OwnCheck> {
  const { AjvJsonSchemaValidator } = await import("@modelcontextprotocol/client/validators/ajv")
  try {
    const validate = new AjvJsonSchemaValidator().getValidator(schema)
    return (input) => ({ kind: "checked", problem: validate(input).errorMessage })
  } catch {
    return () => ({ kind: "unusable" })
  }
}

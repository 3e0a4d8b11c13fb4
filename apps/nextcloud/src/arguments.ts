// Arguments of a tool: checked against its schema before anything is done, with words that a model can act on.

import { nearest } from "holdpoint"
import { nextcloudError } from "./api/error.ts"
import type { Tool } from "./tool.ts"

type Check = (input: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined }

const checks = new WeakMap<object, Check>()

export async function checkArguments(tool: Pick<Tool, "name" | "input">, given: unknown): Promise<object> {
  const input = given ?? {}
  const doing = `calling ${tool.name}`
  const names = Object.keys(tool.input.properties)
  const unknown = Object.keys(input).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const near = nearest(unknown, names)
    const hint = near === undefined ? `It takes: ${names.join(", ") || "none"}.` : `Did you mean “${near}”?`
    throw nextcloudError("invalid", { doing, because: `there is no argument “${unknown}”`, advice: hint })
  }
  const check = checks.get(tool.input) ?? (await createCheck(tool))
  const { valid, errorMessage } = check(input)
  if (valid) return input as object
  throw nextcloudError("invalid", {
    doing,
    because: `the arguments do not fit: ${errorMessage ?? "nobody knows why"}`,
    advice: "Mend the arguments.",
  })
}

async function createCheck({ input }: Pick<Tool, "input">): Promise<Check> {
  const { CfWorkerJsonSchemaValidator } = await import("@modelcontextprotocol/server/validators/cf-worker")
  const check: Check = new CfWorkerJsonSchemaValidator({ shortcircuit: false }).getValidator(input.json)
  checks.set(input, check)
  return check
}

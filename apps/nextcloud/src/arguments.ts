// Arguments of a tool: checked against its schema before anything is done, with words that a model can act on.

import { nearest } from "@holdpoint/sdk/forms"
import { nextcloudError } from "./api/error.ts"
import type { Json, Tool } from "./tool.ts"

type Check = (input: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined }

const checks = new WeakMap<object, Check>()

export async function checkArguments(tool: Pick<Tool, "name" | "input">, given: unknown): Promise<object> {
  const input = given ?? {}
  const doing = `calling ${tool.name}`
  assertKnown(input, tool.input.json, doing)
  const check = checks.get(tool.input) ?? (await createCheck(tool))
  const { valid, errorMessage } = check(input)
  if (valid) return input as object
  throw nextcloudError("invalid", {
    doing,
    because: `the arguments do not fit: ${(errorMessage ?? "nobody knows why").replace(/\.$/, "")}`,
    advice: "Mend the arguments.",
  })
}

/** What nobody looks at is not accepted, at any depth. */
function assertKnown(given: unknown, schema: Json, doing: string, inside = ""): void {
  if (typeof given === "string" && !given.isWellFormed()) {
    const because = `there is half a character in ${inside === "" ? "it" : inside}`
    throw nextcloudError("invalid", { doing, because, advice: "Write it anew, with whole characters." })
  }
  if (typeof given !== "object" || given === null) return
  if (Array.isArray(given)) {
    for (const one of given) assertKnown(one, (schema.items ?? {}) as Json, doing, inside)
    return
  }
  const properties = schema.properties as Readonly<Record<string, Json>> | undefined
  for (const [name, value] of Object.entries(given)) {
    if (properties !== undefined && !Object.hasOwn(properties, name)) throw unknownName(name, properties, doing, inside)
    assertKnown(value, properties?.[name] ?? ((schema.additionalProperties ?? {}) as Json), doing, name)
  }
}

function unknownName(name: string, properties: object, doing: string, inside: string): Error {
  const names = Object.keys(properties)
  const near = nearest(name, names)
  const advice = near === undefined ? `It takes: ${names.join(", ") || "none"}.` : `Did you mean “${near}”?`
  const because = `there is no argument “${name}”${inside === "" ? "" : ` in ${inside}`}`
  return nextcloudError("invalid", { doing, because, advice })
}

async function createCheck({ input }: Pick<Tool, "input">): Promise<Check> {
  const { CfWorkerJsonSchemaValidator } = await import("@modelcontextprotocol/server/validators/cf-worker")
  const check: Check = new CfWorkerJsonSchemaValidator({ shortcircuit: false }).getValidator(input.json)
  checks.set(input, check)
  return check
}

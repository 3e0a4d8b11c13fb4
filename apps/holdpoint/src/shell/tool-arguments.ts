// The arguments of `holdpoint shell run`: a JSON object, on the command line or from standard input.

import { text as readAll } from "node:stream/consumers"
import { isObject } from "@holdpoint/hub/internal"
import type { Call } from "../command.ts"
import { wrongUse } from "../wrong-use.ts"

export async function readToolArguments({ args, io }: Call): Promise<Record<string, unknown>> {
  const text = args.one("args") ?? "{}"
  const json = text === "-" ? await readAll(io.stdin) : text
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return { ...value }
  } catch (error) {
    throw wrongUse(`--args is not JSON: ${error instanceof Error ? error.message : error}`, howToWriteArguments)
  }
  throw wrongUse("--args is not a JSON object.", howToWriteArguments)
}

const howToWriteArguments = `Write --args '{"name": "Ada"}'.`

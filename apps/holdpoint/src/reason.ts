// Reads the reason that a person gives with a flag.

import type { Reason } from "@holdpoint/hub"
import type { Arguments } from "./arguments.ts"
import { wrongUse } from "./wrong-use.ts"

const maxLength = 500

export function readReason(args: Arguments, flag: string, code: string): Reason | undefined {
  const message = args.one(flag)
  if (message === undefined) return undefined
  if (message.trim() === "") throw wrongUse(`--${flag} is empty.`, "Say why, or leave it out.")
  if (message.length > maxLength) throw wrongUse(`--${flag} has more than ${maxLength} characters.`, "Say it in fewer.")
  return { code, message }
}

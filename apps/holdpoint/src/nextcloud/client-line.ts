// For a person who starts the server on stdio by hand: prints the line for their client, and for their account page.

import type { Call } from "../command.ts"
import { printStdioHint, toClientCommand, toShellLine } from "../serve/client-line.ts"

export function printClientAndAccountLine({ out, io, args }: Call, url: string): void {
  printStdioHint({ out }, "nextcloud", toCommand(args.flags, url, io.cwd))
  out.note(`Your account:    ${toShellLine(toCommand(args.flags, url, io.cwd, ["account"]))}`)
}

type GivenFlags = Call["args"]["flags"]

export function toCommand(
  givenFlags: GivenFlags,
  url: string,
  cwd: string,
  part: readonly string[] = [],
): readonly string[] {
  const flags = givenFlags.filter(({ name }) => name !== "host")
  return toClientCommand(["nextcloud", ...part, "--host", url], flags, cwd)
}

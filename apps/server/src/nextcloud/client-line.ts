// For a person who starts the server on stdio by hand: prints the line for their client, and for their account page.

import type { Call } from "../command.ts"
import { tellClientLine, toClientCommand, toShellLine } from "../serve/client-line.ts"

export function tellClient({ out, io, given }: Call, url: string): void {
  tellClientLine({ out }, "nextcloud", toCommand(given.given, url, io.cwd))
  out.note(`Your account:    ${toShellLine(toCommand(given.given, url, io.cwd, ["account"]))}`)
}

type Given = Call["given"]["given"]

export function toCommand(given: Given, url: string, cwd: string, part: readonly string[] = []): readonly string[] {
  const flags = given.filter(({ name }) => name !== "host")
  return toClientCommand(["nextcloud", ...part, "--host", url], flags, cwd)
}

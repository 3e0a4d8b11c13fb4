// The section `shell` of holdpoint.config.ts: its members and their kinds.

import { assertSection, type Fields, number, text, texts, yesNo } from "../section.ts"

export interface ShellConfig {
  /** The name of this server for people. Default: the path of the folder. */
  readonly name?: string
  /** Environment variables that scripts get besides the usual ones, such as PATH and HOME. */
  readonly passEnvironment?: readonly string[]
  /** How long a script may run, without the time in which it waits for answers. Default: 600. */
  readonly timeoutSeconds?: number
  /** How long a person has to answer, unless the tool or the script sets another time. Default: 300. */
  readonly askWithinSeconds?: number
  /** The most bytes that a script may print. Default: 10 MiB. */
  readonly outputBytes?: number
  /** The most scripts that run or wait at the same time. Default: 500. */
  readonly concurrency?: number
  /** Whether people whose client cannot show questions get a link to a page. Default: true. */
  readonly pages?: boolean
}

const fields: Fields = {
  name: text,
  passEnvironment: texts,
  timeoutSeconds: number,
  askWithinSeconds: number,
  outputBytes: number,
  concurrency: number,
  pages: yesNo,
}

/** Returns the section if it is valid. */
export function readSection(section: Readonly<Record<string, unknown>>): ShellConfig {
  assertSection(section, { name: "shell", fields, refusal: "The settings for scripts cannot be used." })
  return section
}

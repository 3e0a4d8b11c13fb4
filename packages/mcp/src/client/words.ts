// Texts for people about the pages of a server, and for models about the result of a call. The texts of a server's
// questions are in asking/foreign-words.ts.

import { nameOf, truncate } from "@holdpoint/calls/internal"
import type { Settings } from "./settings.ts"

type Server = Pick<Settings, "name" | "address">

/** Asks whether the person has finished on a page, for servers that send no notification. */
export const doneWords = (server: Server, hosts: readonly string[]): string =>
  truncate(`${nameOf(server)} sent you to ${[...new Set(hosts)].join(", ")}. Try again when you have finished there.`)

export const lostWords = (server: Server, tool: string): string =>
  `It is unknown whether ${nameOf(server)} carried out “${tool}”: the connection or this program ended in the middle of the call. It was not called again, because the tool does not say that a second call does no harm. Check the result with another tool, or ask the user, before you call it again.`

export const excessWords = (server: Server, tool: string, problem: string): string =>
  `${nameOf(server)} ran “${tool}”, and its result was not read: ${problem}. What the tool did is not undone. Do not repeat the call; ask for less, or check the result with another tool.`

export const unreachedWords = (server: Server, tool: string, problem: string): string =>
  `${nameOf(server)} could not be reached, and “${tool}” was not called: ${problem}. Try again later.`

export const notListedWords = (server: Server, problem: string): string =>
  `The tools of ${nameOf(server)} could not be listed: ${problem}. Check its address, and that it runs and admits this program.`

export const notVisitedWords = (server: Server): string =>
  `${nameOf(server)} needs the user to visit a page before this tool can be used, and the user did not. Calling again immediately is useless; ask the user whether they want to go on.`

export const stillNeededWords = (server: Server): string =>
  `${nameOf(server)} still asks the user to visit a page, although they said that they have finished there. Tell the user, and call again when they say that it is fixed.`

export const tooManyWords = (server: Server): string =>
  `${nameOf(server)} kept asking and did not finish. The call was cancelled; what it had done until then is not undone.`

export const tooManyQuestionsWords = (server: Server, most: number): string =>
  `${nameOf(server)} asked more than ${most} questions in one call. The call was cancelled; what it had done until then is not undone.`

export const unsupportedWords = (server: Server, method: string): string =>
  `${nameOf(server)} asked this program for “${method}”, which this program does not support. The call was cancelled.`

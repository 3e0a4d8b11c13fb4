// The walks as `npm run walk -- --save` last recorded them.

import { readFileSync } from "node:fs"

export interface RecordedWalk {
  readonly name: string
  readonly files: number
  readonly reversals: readonly string[]
  readonly passOns: number
}

export const recordedFile = new URL("walks.json", import.meta.url)

export const readWalks = (): readonly RecordedWalk[] =>
  JSON.parse(readFileSync(recordedFile, "utf8")) as readonly RecordedWalk[]

// Recordings of a real Nextcloud 32.0.1, loaded on first use.

import { readFileSync } from "node:fs"

export interface Recording {
  readonly seq: number
  readonly api: string
  readonly label: string
  readonly request: Message & { readonly method: string; readonly url: string }
  readonly response: Message & { readonly status: number }
}

export interface Message {
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | null
  readonly body_base64?: string
  readonly body_length?: number
}

/** The placeholder for the real server's address. */
export const recordedAddress = "http://nextcloud.test"

const recordingsByName = new Map<string, readonly Recording[]>()

/** The recordings of one file, whose name is `deck`, `ocs` and so on. The file is read once. */
export function recordingsOf(name: string): readonly Recording[] {
  const cachedRecordings = recordingsByName.get(name)
  if (cachedRecordings !== undefined) return cachedRecordings
  const lines = readFileSync(new URL(`../recordings/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recording)
  recordingsByName.set(name, lines)
  return lines
}

export function headerOf({ headers }: Message, name: string): string | undefined {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1]
}

/** The data of the OCS response recorded under this label, with this server's address. */
export function recordedData(label: string, url: string): unknown {
  const body = recordingsOf("ocs").find((recording) => recording.label === label)?.response.body ?? ""
  const answer = JSON.parse(body.replaceAll(recordedAddress.replaceAll("/", "\\/"), url)) as { ocs: { data: unknown } }
  return answer.ocs.data
}

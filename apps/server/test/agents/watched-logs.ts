// Sees every chunk that is written to the log of any run: events must fit their published schema, and everything is
// heard for secrets. It changes nothing of what is written.

import type { Storage } from "@holdpoint/sdk"
import type { Site } from "@holdpoint/sdk/compose"
import { createSealer } from "@holdpoint/sdk/sealing"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/sdk/storage"
import { streamEventSchema } from "@holdpoint/sdk/stream"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import { hear } from "../../../../test/canaries/note.ts"
import { type LogPart, logKind } from "../../src/agents/records.ts"
import type { Chunk } from "../../src/agents/run-log.ts"
import { createSealedText } from "../../src/agents/sealed-records.ts"

const check = new AjvJsonSchemaValidator().getValidator<unknown>(streamEventSchema as never)

/** The storage, watched. `tell` is called with what is wrong with an event, before it is written. */
export function watchRunLogs(storage: Storage, keys: Site["keys"], tell: (fault: string) => void): Storage {
  const texts = createSealedText(createSealer(keys), logKind)
  const look = (part: LogPart): void => {
    const chunks = texts.open(part).chunks as readonly Chunk[]
    hear("stream", "the log of a run", JSON.stringify(chunks))
    for (const fault of chunks.flatMap(faultsOf)) tell(fault)
  }
  const watched = (logs: Records<LogPart>): Records<LogPart> => ({
    ...logs,
    insert(part, entry) {
      look(part)
      return logs.insert(part, entry)
    },
    replace(part, entry) {
      look(part)
      return logs.replace(part, entry)
    },
  })
  const isLog = ({ name }: { readonly name: string }): boolean => name === logKind.name
  return {
    ...storage,
    records<R extends KeptRecord>(kind: RecordKind<R>): Records<R> {
      const records: unknown = storage.records(kind)
      return (isLog(kind) ? watched(records as Records<LogPart>) : records) as Records<R>
    },
  }
}

/** The parts of agents with their storage watched: a run that would write a wrong event fails. */
export const withWatchedLogs = (site: Site): Site => ({
  ...site,
  storage: watchRunLogs(site.storage, site.keys, (fault) => {
    throw new Error(fault)
  }),
})

/** What is wrong with the event of a chunk, if it has one. */
export function faultsOf(chunk: Pick<Chunk, "type"> & { readonly data?: unknown }): readonly string[] {
  if (chunk.type !== "data-elicitation") return []
  const { valid, errorMessage } = check(chunk.data)
  return valid ? [] : [`${errorMessage} in ${JSON.stringify(chunk.data)}`]
}

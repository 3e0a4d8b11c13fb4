// Checks every chunk in the log of any run: events must match their published schema, and no chunk may contain a
// secret. The chunks themselves are not changed.

import type { Chunk } from "@holdpoint/agents/internal"
import { createSealedText, type LogPart, logKind } from "@holdpoint/agents/internal"
import type { Storage } from "@holdpoint/hub"
import { createSealer } from "@holdpoint/hub/sealing"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/hub/storage"
import { streamEventSchema } from "@holdpoint/hub/stream"
import type { Site } from "@holdpoint/server"
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv"
import { hear } from "../canaries/note.ts"

const check = new AjvJsonSchemaValidator().getValidator<unknown>(streamEventSchema as never)

/** Wraps a storage. Calls `tell` with each fault of an event before the event is written. */
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

/** Wraps the storage of a site, so that a run with a faulty event fails. */
export const withWatchedLogs = (site: Site): Site => ({
  ...site,
  storage: watchRunLogs(site.storage, site.keys, (fault) => {
    throw new Error(fault)
  }),
})

/** The faults of the event in a chunk. Empty for a chunk without an event. */
export function faultsOf(chunk: Pick<Chunk, "type"> & { readonly data?: unknown }): readonly string[] {
  if (chunk.type !== "data-elicitation") return []
  const { valid, errorMessage } = check(chunk.data)
  return valid ? [] : [`${errorMessage} in ${JSON.stringify(chunk.data)}`]
}

// Seals and opens the text of records. Texts that this process has sealed or opened recently are cached, because the
// records of an active run are read several times.

import type { Sealer } from "@holdpoint/hub/sealing"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"

export interface SealedText<R extends KeptRecord> {
  /** Returns the record with these values sealed in it. Each is stored as JSON. */
  seal(record: R, values: Readonly<Record<string, unknown>>): R
  /** Returns the opened values of the record: all of them, or only those of `members`. */
  open(record: R, members?: readonly string[]): Readonly<Record<string, unknown>>
}

export function createSealedText<R extends KeptRecord>(sealer: Sealer, { name }: RecordKind<R>): SealedText<R> {
  const knownTexts = createKnownTexts()
  const bindingOf = ({ tenant, id }: R) => ({ tenant, owner: name, record: id })
  const keyOf = ({ tenant, id }: R, member: string): string => JSON.stringify([tenant, id, member])

  return {
    seal(record, values) {
      const texts = Object.entries(values).map(([member, value]) => [member, JSON.stringify(value ?? null)] as const)
      const sealed = sealer.seal(bindingOf(record), Object.fromEntries(texts))
      for (const [member, text] of texts) knownTexts.set(keyOf(record, member), sealed.fields[member] ?? "", text)
      return { ...record, sealed }
    },
    open(record, members) {
      const { sealed } = record
      if (sealed === undefined) return {}
      const fields = Object.entries(sealed.fields).filter(([member]) => members?.includes(member) ?? true)
      const entries = fields.map(([member, field]) => {
        const key = keyOf(record, member)
        return { member, field, key, text: knownTexts.get(key, field) }
      })
      const uncachedFields = entries.flatMap(({ member, field, text }) =>
        text === undefined ? [[member, field] as const] : [],
      )
      const openedFields =
        uncachedFields.length === 0
          ? {}
          : sealer.open(bindingOf(record), { ...sealed, fields: Object.fromEntries(uncachedFields) })
      const values = entries.map(({ member, field, key, text = openedFields[member] ?? "null" }) => {
        knownTexts.set(key, field, text)
        return [member, JSON.parse(text)] as const
      })
      return Object.fromEntries(values)
    },
  }
}

interface KnownTexts {
  /** The cached plain text of exactly this sealed text. A sealed text that was moved or altered is never found. */
  get(key: string, sealed: string): string | undefined
  set(key: string, sealed: string, text: string): void
}

/** The maximum number of cached characters, sealed and plain together. Low, so that waiting runs use little memory. */
const mostKept = 1_000_000

function createKnownTexts(): KnownTexts {
  const texts = new Map<string, { readonly sealed: string; readonly text: string }>()
  let cachedLength = 0
  const drop = (key: string): void => {
    const { sealed = "", text = "" } = texts.get(key) ?? {}
    cachedLength -= sealed.length + text.length
    texts.delete(key)
  }
  return {
    get(key, sealed) {
      const cached = texts.get(key)
      return cached?.sealed === sealed ? cached.text : undefined
    },
    set(key, sealed, text) {
      if (texts.get(key)?.sealed === sealed) return
      drop(key)
      texts.set(key, { sealed, text })
      cachedLength += sealed.length + text.length
      for (const oldest of texts.keys()) {
        if (cachedLength <= mostKept) return
        drop(oldest)
      }
    },
  }
}

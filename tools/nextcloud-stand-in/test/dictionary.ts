// Translates recorded requests for the replay: other people and names from the start, and ids, etags and tokens as they
// are learned from responses.

/** Other names for people and things. Each has the recorded name's length, so that sizes stay the same. */
const renamed: Readonly<Record<string, string>> = {
  alice: "wanda",
  Alice: "Wanda",
  ALICE: "WANDA",
  bob: "ida",
  Bob: "Ida",
  carol: "petra",
  Carol: "Petra",
  ali: "wan",
  bo: "id",
  dave: "olaf",
  erin: "nina",
  Docs: "Pads",
  "hello.txt": "salut.txt",
  many: "lots",
  friends: "fellows",
  zoe: "amy",
  tasks: "chore",
  ev1: "qx1",
  Bulk: "Pack",
  bulk1: "pack1",
}

const names = new RegExp(`(?<![A-Za-z])(?:${Object.keys(renamed).join("|").replaceAll(".", "\\.")})(?![a-z])`, "g")

/** The pattern of ids and tokens in text. */
const tokens = /http:\/\/sabre\.io\/ns\/sync\/\w+|[A-Za-z0-9]+/g

export interface Dictionary {
  /** Learns that the replay has `replayed` where the recording has `recorded`. */
  learn(recorded: string, replayed: string): void
  /** The number of an item in a list of this name: `shares`, 2. */
  learnId(list: string, recorded: string, replayed: string): void
  /** Whether the recorded text has a translation. Secrets that this replay did not issue have none. */
  knows(recorded: string): boolean
  toText(recorded: string): string
  /** Translates a path with its query, or a full address. */
  toAddress(recorded: string): string
}

/** Creates a dictionary. People and things keep their names unless `isRenamed`. */
export function createDictionary(isRenamed: boolean): Dictionary {
  const words = new Map<string, string>()
  const ids = new Map<string, string>()
  const rename = (name: string): string => (isRenamed ? renamed[name] : undefined) ?? name
  const toText = (recorded: string): string => {
    const whole = words.get(recorded)
    if (whole !== undefined) return whole
    // Learned tokens are not searched for names: a random token contains “bo” now and then.
    let text = ""
    let end = 0
    for (const { 0: token, index } of recorded.matchAll(tokens)) {
      const replayed = words.get(token)
      if (replayed === undefined) continue
      text += recorded.slice(end, index).replace(names, rename) + replayed
      end = index + token.length
    }
    return text + recorded.slice(end).replace(names, rename)
  }

  const toSegment = (segment: string, before: string | undefined): string => {
    const plain = decode(segment)
    const translation = ids.get(`${before}/${plain}`) ?? words.get(plain)
    if (translation !== undefined) return encodeURIComponent(translation)
    return toText(segment)
  }

  return {
    learn(recorded, replayed) {
      if (recorded === replayed) return
      if (isTelling(recorded)) words.set(recorded, replayed)
      const [from, to] = [recorded.match(tokens) ?? [], replayed.match(tokens) ?? []]
      if (from.length !== to.length) return
      for (const [index, token] of from.entries()) {
        const other = to[index] ?? token
        if (token !== other && isTelling(token) && toText(token) !== other) words.set(token, other)
      }
    },
    learnId: (list, recorded, replayed) => void ids.set(`${list}/${recorded}`, replayed),
    knows: (recorded) => words.has(recorded),
    toText,
    toAddress(recorded) {
      const [path = "", query] = recorded.split(/\?(.*)/s)
      const segments = path.split("/")
      const translated = segments.map((segment, index) => toSegment(segment, segments[index - 1])).join("/")
      return query === undefined ? translated : `${translated}?${toQuery(query, words, toText)}`
    },
  }
}

function toQuery(query: string, words: ReadonlyMap<string, string>, toText: (text: string) => string): string {
  return query
    .split("&")
    .map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s)
      const plain = decode(value.replaceAll("+", " "))
      return pair.includes("=") ? `${name}=${encodeURIComponent(words.get(plain) ?? toText(plain))}` : pair
    })
    .join("&")
}

/** Whether the text identifies a thing: ordinary words and years do not. */
const isTelling = (text: string): boolean => /\d/.test(text) && text.length > 2 && !/^20\d\d$/.test(text)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

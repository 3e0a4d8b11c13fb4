// Where the stand-in differs from the recordings, and why: every mismatch must be listed, and every entry must be a mismatch.
// Also the recordings that are not replayed, because the stand-in lacks the feature.

const fuller = "of several answers that were recorded of this list, the longest is always given"
const stays = "what is read from recordings is still there after it was deleted"

export const differences: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  caldav: { 40: "the message is that of another XML parser" },
  oauth2: {
    40: fuller,
    41: fuller,
    42: fuller,
    48: fuller,
    49: fuller,
    50: fuller,
  },
  oidc: {
    54: "a JWT that was replaced still said who it was for, although it was refused; here it says nothing",
  },
  deck: {
    1: fuller,
    12: "what bob reads is the board as it was after it had been shared with him",
    58: "the address had /../ in it, which clients leave out before they send it",
    64: stays,
  },
  cookbook: { 2: fuller },
  news: { 35: fuller },
  talk: { 44: stays },
  errors: {
    12: "answered by the web server in front of Nextcloud, which the stand-in has none of",
  },
}

const locks = "files cannot be locked"
const sync = "what changed since a token is not told"
const chunks = "lists of notes are not given in chunks"
const pages = "pages of other servers are not told what they may ask"
const clients = "clients of OpenID Connect cannot register themselves"
const consent = "people are not asked whether a client of OpenID Connect may have access"
const introspection = "tokens of OpenID Connect are not looked up"
const links = "nothing is served below public links"
const _clients = "clients of OpenID Connect cannot register themselves"
const _consent = "clients of OpenID Connect are not asked about"

export const leftOut: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  webdav: {
    69: "the address that clients used before there were several homes is not served",
    71: "folders are not given as zip archives",
    156: "several files cannot be sent in one request",
    159: "there are no direct links",
  },
  shares: { 16: links, 17: links },
  notes: {
    ...{ 26: chunks, 27: chunks, 28: chunks, 29: chunks, 30: chunks },
    ...{ 46: pages, 47: pages },
    48: "version 0.2 of the API is not there",
  },
  oidc: {
    3: pages,
    ...{ 41: introspection, 42: introspection, 43: introspection },
    ...all(62, 77, clients),
    ...all(78, 89, consent),
  },
  caldav: {
    27: "series are not written out",
    32: "several events cannot be asked for by their names",
    33: sync,
    35: sync,
    36: sync,
    37: sync,
    38: sync,
    39: "a calendar does not tell when its owner is busy; the outbox does",
    45: "calendars are not exported",
    53: "there is no inbox",
    61: "what is in the trash is not listed",
  },
  carddav: {
    28: "several cards cannot be asked for by their names",
    29: sync,
    32: sync,
    33: sync,
    39: "address books are not exported",
  },
  locks: Object.fromEntries([1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13].map((seq) => [seq, locks])),
}

/** An entry for each number of the range. */
function all(first: number, last: number, reason: string): Readonly<Record<number, string>> {
  return Object.fromEntries(Array.from({ length: last - first + 1 }, (_, index) => [first + index, reason]))
}

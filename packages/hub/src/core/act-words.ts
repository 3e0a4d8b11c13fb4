// Derives the labels of a yes-or-no question's two answers from its text: “Delete the note?” gets “Delete” and “Do not
// delete”. Knows English verbs only; other questions get no labels of their own. Pure.

/** The labels of the two answers. */
export interface ActWords {
  readonly yes: string
  readonly no: string
}

/**
 * Verbs that name an act when a question or title begins with them. “Open” and “Set” are left out because they are also
 * adjectives.
 */
const verbs = new Set(
  (
    "accept add agree allow apply approve archive assign attach ban book buy call cancel change charge check " +
    "clear close commit confirm connect continue copy create deactivate decline delete deploy destroy disable " +
    "disconnect discard dismiss download drop edit empty enable erase execute export fetch find forget forward " +
    "get give go grant import install invite join keep leave list lock log make merge move overwrite pay permit " +
    "post proceed publish purge push put query read refund reject release remove rename replace reply reset " +
    "restart restore retry revoke run save schedule search send share show sign start stop submit subscribe take " +
    "transfer turn undo uninstall unlock unsubscribe update upgrade upload use withdraw write"
  ).split(" "),
)

const particles = new Set("back down in off on out over up".split(" "))

const leadIn =
  /^(?:really|(?:shall|should|may|can) (?:i|we)|do you want (?:me |us )?to|would you like (?:me |us )?to|are you sure (?:that )?you want to)\s+/i

/**
 * The labels of the two answers to a message whose first sentence asks about an act: “Delete the note?” Undefined for
 * any other message, which is answered by “Yes” or “No”.
 */
export function actWordsIn(message: string): ActWords | undefined {
  const [sentence] = /^[^?\n]*\?/.exec(message.trim()) ?? []
  const act = sentence === undefined ? undefined : actIn(sentence.replace(leadIn, ""))
  return act === undefined ? undefined : { yes: capitalize(act), no: `Do not ${act}` }
}

/**
 * The labels of the two answers to a question with this title: “Delete note” and “Do not delete”. Undefined if the
 * title begins with no known verb, or is too long for a button.
 */
export function actWordsOf(title: string): ActWords | undefined {
  const words = title.trim().replace(/\?$/, "")
  const act = words.length > longestLabel ? undefined : actIn(words)
  return act === undefined ? undefined : { yes: capitalize(words), no: `Do not ${act}` }
}

/** The longest title that fits on a button, in UTF-16 units. */
const longestLabel = 40

function actIn(words: string): string | undefined {
  const [first = "", second = ""] = words.toLowerCase().replace("?", "").split(/\s+/)
  if (!verbs.has(first)) return undefined
  return particles.has(second) ? `${first} ${second}` : first
}

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

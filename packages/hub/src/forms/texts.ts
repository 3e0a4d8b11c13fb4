// The words that fields show beside those of the form itself: English by default, translatable one by one.

/**
 * The words around fields, with placeholders. `{range}` is replaced by `between`, `atLeast` or `atMost`, whose own
 * placeholders are `{least}` and `{most}`.
 */
export interface FormTexts {
  readonly yes: string
  readonly no: string
  readonly optional: string
  readonly chooseOne: string
  readonly noAnswer: string
  /** The heading of the list of problems. */
  readonly notSent: string
  readonly timeInUtc: string
  /** `{zone}` is the person's time zone. */
  readonly timeHere: string
  readonly between: string
  readonly atLeast: string
  readonly atMost: string
  /** How many options to choose. */
  readonly choose: string
  readonly characters: string
  readonly wholeNumber: string
  readonly wholeNumberWithin: string
  readonly numberWithin: string
}

export const englishTexts: FormTexts = {
  yes: "Yes",
  no: "No",
  optional: "optional",
  chooseOne: "Choose one",
  noAnswer: "No answer",
  notSent: "This could not be sent yet.",
  timeInUtc: "Time in UTC.",
  timeHere: "Your time ({zone}).",
  between: "{least} to {most}",
  atLeast: "at least {least}",
  atMost: "at most {most}",
  choose: "Choose {range}.",
  characters: "{range} characters.",
  wholeNumber: "A whole number.",
  wholeNumberWithin: "A whole number, {range}.",
  numberWithin: "{range}.",
}

/** Replaces each `{name}` in a text by its value. A name without a value stays as it is. */
export function fillIn(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}

// Reads the slides of a PowerPoint presentation, in the order of their numbers.

import type { Unzipped } from "fflate"
import type { DocumentPart } from "./extracted.ts"
import { tidyText } from "./walk-xml.ts"
import { textOf } from "./word.ts"

export function readPresentation(files: Unzipped): readonly DocumentPart[] {
  return Object.entries(files)
    .flatMap(([path, bytes]) => {
      const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(path)?.[1]
      return number === undefined ? [] : [{ number: Number(number), bytes }]
    })
    .sort((one, other) => one.number - other.number)
    .map(({ bytes }, index) => ({ name: `Slide ${index + 1}`, text: tidyText(textOf(bytes)) }))
}

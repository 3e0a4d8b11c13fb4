// The Files tools.

import { documentTools } from "./document.ts"
import { folderTools } from "./folders.ts"
import { listingTools } from "./listing.ts"
import { movingTools } from "./moving.ts"
import { readingTools } from "./reading.ts"
import { removingTools } from "./removing.ts"
import { searchingTools } from "./searching.ts"
import { writingTools } from "./writing.ts"

export const fileTools = [
  ...listingTools,
  ...readingTools,
  ...documentTools,
  ...searchingTools,
  ...writingTools,
  ...folderTools,
  ...movingTools,
  ...removingTools,
]

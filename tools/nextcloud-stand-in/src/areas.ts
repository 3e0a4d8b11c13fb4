// The areas of the stand-in, in the order in which they are called. The first answer counts.

import { appPasswordsArea } from "./app-passwords.ts"
import type { Area } from "./area.ts"
import { calendarArea } from "./calendar/area.ts"
import { contactsArea } from "./contacts/area.ts"
import { documentedAreas } from "./documented-apps.ts"
import { filesArea } from "./files/area.ts"
import { loginArea } from "./login.ts"
import { notesArea } from "./notes.ts"
import { oauth2Area } from "./oauth2.ts"
import { ocsArea } from "./ocs.ts"
import { oidcArea } from "./oidc/area.ts"
import { recordedArea } from "./recorded-area.ts"
import { statusArea } from "./status.ts"

export const areas: readonly Area[] = [
  statusArea,
  loginArea,
  oauth2Area,
  oidcArea,
  appPasswordsArea,
  ocsArea,
  ...documentedAreas,
  filesArea,
  notesArea,
  contactsArea,
  calendarArea,
  recordedArea,
]

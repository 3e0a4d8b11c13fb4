// The pages where people answer, for every path that no other route of the app has.

import { pages } from "@/refunds"

export { pages as GET, pages as POST }

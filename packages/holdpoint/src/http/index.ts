// The pages where people say yes, as one fetch handler for any server.

export { localHome } from "./gate.ts"
export type { Pages, PagesOptions } from "./pages.ts"
export { createPages } from "./pages.ts"
export type { ReturnTarget } from "./site.ts"

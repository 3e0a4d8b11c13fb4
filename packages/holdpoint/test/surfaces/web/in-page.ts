// What tests run inside a page, under the name that tests of the pages know.

export { complaints, loseFocus, openEverything, scrollsSideways, whereFocusIs } from "../../../../../test/in-page.ts"

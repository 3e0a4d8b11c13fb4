// The stylesheet of the stand-in's pages: readable on a phone, in light and in dark.

export const style = `
:root { color-scheme: light dark; --line: light-dark(#767676, #9a9a9a); --accent: light-dark(#00679e, #0082c9); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#f5f5f5, #171717); color: light-dark(#222, #ebebeb); }
header { background: #00679e; color: #fff; padding: 0 1rem; }
header p { max-width: 26rem; margin: 0 auto; padding: .75rem 0; font-weight: 600; }
header span { font-weight: 400; }
main { max-width: 28rem; margin: 2rem auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
form { display: grid; gap: 1rem; }
label { display: grid; gap: .25rem; font-weight: 600; }
input { font: inherit; padding: .5rem; border: 1px solid var(--line); border-radius: .5rem; background: light-dark(#fff, #242424); color: inherit; }
button, a.button { display: inline-block; font: inherit; font-weight: 600; padding: .625rem 1.25rem; border: 0; border-radius: .5rem; background: #00679e; color: #fff; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { border-left: 4px solid #c90000; padding-left: .75rem; }
aside { margin-top: 2rem; border-top: 1px solid var(--line); }
`

/** A declared text in the cell of a Markdown table. Outside of code, `<` would begin a tag. */
export const tableCell = (text: string): string =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/(`[^`]*`)|</g, (_match, code?: string) => code ?? String.raw`\<`)

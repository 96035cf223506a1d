/** Amounts in calls of tokens, which the explorer and the terminal show in their units. */

/** The members of an explained call that are read. */
interface TokenCall {
  readonly function?: string | undefined
  readonly to: string
  readonly arguments?: readonly { readonly type?: string; readonly value: unknown }[] | undefined
  readonly steps: readonly { readonly call?: TokenCall; readonly [other: string]: unknown }[]
}

/** Functions of tokens with an amount (ERC-20), functions that return one, and events. */
export const WITH_AMOUNT =
  /^(transfer|transferFrom|approve|balanceOf|allowance|totalSupply|Transfer|Approval)\b/

/** The amounts that a call and those within give to tokens, as decimal digits, with the units of these. */
export function amountsIn<Unit>(
  { function: name = '', to, arguments: args = [], steps }: TokenCall,
  unitOf: (token: string) => Unit | undefined,
): readonly (readonly [amount: string, unit: Unit])[] {
  const unit = WITH_AMOUNT.test(name) ? unitOf(to) : undefined
  const amounts = args.flatMap(({ type, value }) =>
    unit !== undefined && type === 'uint256' && value !== '0' ? [[String(value), unit] as const] : [],
  )
  return [...amounts, ...steps.flatMap(({ call }) => (call === undefined ? [] : amountsIn(call, unitOf)))]
}

/** The rounds of BLAKE2b's compression function (RFC 7693, 3.1 and 3.2) on a working vector of 16 words at address 0. */

/** Address of the message of 16 words, after the working vector. */
const MESSAGE: usize = 128

/** Words of the message in each of ten rounds (2.7). */
const SCHEDULE = memory.data<u8>([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
  11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
  7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
  9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
  2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
  12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
  13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
  6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
  10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
])

/** Address and end of the words of the message in the order in which ten rounds mix them in: 16 words for each round. */
const ORDERED: usize = 512
const ORDERED_END: usize = ORDERED + 10 * 16 * 8

function order(): void {
  for (let index: usize = 0; index < 160; index++) {
    store<u64>(ORDERED + (index << 3), load<u64>(MESSAGE + ((<usize>load<u8>(SCHEDULE + index)) << 3)))
  }
}

/** Runs a number of rounds, beginning with the first of the schedule. */
export function rounds(count: u32): void {
  let v0 = load<u64>(0)
  let v1 = load<u64>(8)
  let v2 = load<u64>(16)
  let v3 = load<u64>(24)
  let v4 = load<u64>(32)
  let v5 = load<u64>(40)
  let v6 = load<u64>(48)
  let v7 = load<u64>(56)
  let v8 = load<u64>(64)
  let v9 = load<u64>(72)
  let v10 = load<u64>(80)
  let v11 = load<u64>(88)
  let v12 = load<u64>(96)
  let v13 = load<u64>(104)
  let v14 = load<u64>(112)
  let v15 = load<u64>(120)
  order()
  let round = ORDERED
  while (count--) {
    // Columns.
    v0 += v4 + load<u64>(round, 0)
    v12 = rotr<u64>(v12 ^ v0, 32)
    v8 += v12
    v4 = rotr<u64>(v4 ^ v8, 24)
    v0 += v4 + load<u64>(round, 8)
    v12 = rotr<u64>(v12 ^ v0, 16)
    v8 += v12
    v4 = rotr<u64>(v4 ^ v8, 63)
    v1 += v5 + load<u64>(round, 16)
    v13 = rotr<u64>(v13 ^ v1, 32)
    v9 += v13
    v5 = rotr<u64>(v5 ^ v9, 24)
    v1 += v5 + load<u64>(round, 24)
    v13 = rotr<u64>(v13 ^ v1, 16)
    v9 += v13
    v5 = rotr<u64>(v5 ^ v9, 63)
    v2 += v6 + load<u64>(round, 32)
    v14 = rotr<u64>(v14 ^ v2, 32)
    v10 += v14
    v6 = rotr<u64>(v6 ^ v10, 24)
    v2 += v6 + load<u64>(round, 40)
    v14 = rotr<u64>(v14 ^ v2, 16)
    v10 += v14
    v6 = rotr<u64>(v6 ^ v10, 63)
    v3 += v7 + load<u64>(round, 48)
    v15 = rotr<u64>(v15 ^ v3, 32)
    v11 += v15
    v7 = rotr<u64>(v7 ^ v11, 24)
    v3 += v7 + load<u64>(round, 56)
    v15 = rotr<u64>(v15 ^ v3, 16)
    v11 += v15
    v7 = rotr<u64>(v7 ^ v11, 63)
    // Diagonals.
    v0 += v5 + load<u64>(round, 64)
    v15 = rotr<u64>(v15 ^ v0, 32)
    v10 += v15
    v5 = rotr<u64>(v5 ^ v10, 24)
    v0 += v5 + load<u64>(round, 72)
    v15 = rotr<u64>(v15 ^ v0, 16)
    v10 += v15
    v5 = rotr<u64>(v5 ^ v10, 63)
    v1 += v6 + load<u64>(round, 80)
    v12 = rotr<u64>(v12 ^ v1, 32)
    v11 += v12
    v6 = rotr<u64>(v6 ^ v11, 24)
    v1 += v6 + load<u64>(round, 88)
    v12 = rotr<u64>(v12 ^ v1, 16)
    v11 += v12
    v6 = rotr<u64>(v6 ^ v11, 63)
    v2 += v7 + load<u64>(round, 96)
    v13 = rotr<u64>(v13 ^ v2, 32)
    v8 += v13
    v7 = rotr<u64>(v7 ^ v8, 24)
    v2 += v7 + load<u64>(round, 104)
    v13 = rotr<u64>(v13 ^ v2, 16)
    v8 += v13
    v7 = rotr<u64>(v7 ^ v8, 63)
    v3 += v4 + load<u64>(round, 112)
    v14 = rotr<u64>(v14 ^ v3, 32)
    v9 += v14
    v4 = rotr<u64>(v4 ^ v9, 24)
    v3 += v4 + load<u64>(round, 120)
    v14 = rotr<u64>(v14 ^ v3, 16)
    v9 += v14
    v4 = rotr<u64>(v4 ^ v9, 63)
    round += 16 * 8
    if (round == ORDERED_END) round = ORDERED
  }
  store<u64>(0, v0)
  store<u64>(8, v1)
  store<u64>(16, v2)
  store<u64>(24, v3)
  store<u64>(32, v4)
  store<u64>(40, v5)
  store<u64>(48, v6)
  store<u64>(56, v7)
  store<u64>(64, v8)
  store<u64>(72, v9)
  store<u64>(80, v10)
  store<u64>(88, v11)
  store<u64>(96, v12)
  store<u64>(104, v13)
  store<u64>(112, v14)
  store<u64>(120, v15)
}

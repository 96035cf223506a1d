/** What several files of tests deploy. */

import { ethers } from 'hardhat'

/** A contract whose methods the artifact has, which TypeScript does not know. */
export const deploy = async (name: string, ...args: readonly unknown[]): Promise<any> =>
  ethers.deployContract(name, [...args])

/** A token of which the second account has 1000. */
export async function deployToken() {
  const [owner, user, other] = await ethers.getSigners()
  const token = await deploy('Token')
  await token.mint(user.address, 1000)
  return { token, owner, user, other }
}

/** A market with a fee of 2.5 %, where the second account can buy. */
export async function deployMarket() {
  const deployed = await deployToken()
  const market = await deploy('Market', await deployed.token.getAddress(), deployed.owner.address, 250)
  await deployed.token.connect(deployed.user).approve(await market.getAddress(), 600)
  return { market, ...deployed }
}

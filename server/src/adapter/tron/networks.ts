// The TRON networks that the adapter knows, each with the id of its first block and its USDT contract.

export interface Network {
  /** The id of block 0, by which a node of another network is recognised. */
  readonly genesisId: string
  /** The contract whose transfers count, Base58Check. */
  readonly contract: string
}

export const MAINNET: Network = {
  genesisId: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
}

/** The public test network, whose USDT is worth nothing. */
export const NILE: Network = {
  genesisId: '0000000000000000d698d4192c56cb6be724a558448e2684802de4d6cd8690dc',
  contract: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf',
}

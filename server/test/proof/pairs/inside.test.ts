// Lets a request meet another one that has carried out a statement and not committed it yet.
import { playInside } from './plays.ts'
import { testPairs } from './matrix.ts'

testPairs(playInside)

// SPDX-License-Identifier: Apache-2.0
// With the macro EC_SVA, ec_checker beside every router of ecube in a design. For another router: one such line.
`ifdef EC_SVA
bind ec_router ec_checker #(
  .Dims(Dims),
  .LinksPerDim(LinksPerDim),
  .Locals(Locals),
  .Vcs(Vcs),
  .Dynamic(Dynamic),
  .AddressBits(AddressBits),
  .DataBits(DataBits),
  .Routes(Dynamic == 2 ? 2 : 1)
) u_checker (.*);
`endif

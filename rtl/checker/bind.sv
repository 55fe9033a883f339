// SPDX-License-Identifier: Apache-2.0
// With the macro EC_SVA, ec_checker beside every router of ecube in a design. For another router: one such line.
// (Routes of a table, EC_TABLE, are not those that it knows.)
`ifdef EC_SVA
`ifndef EC_TABLE
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
`endif

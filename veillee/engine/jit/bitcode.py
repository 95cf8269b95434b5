"""Functions that only compiled code calls: kept as bitcode, without machine code of their own.

Numba makes machine code of every function, together with all that it calls, and a wrapper for
Python; its callers link its bitcode and do the same again. Here only functions that Python calls
get machine code. Two kinds are not even optimised by themselves, only in their callers: functions
that are always inlined, and those that write events, which run once for a decision and not in
playouts.

To optimise no other function either would cost speed: playouts of Nomads took 13% longer.

Numba has no option for this. `BitcodeLibrary` overrides two methods of its code library; the rest
is the documented way to add a compiler pass.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonTypeInference

ENVIRONMENT = "_ZN08NumbaEnv"
"""Begins the names of the global variables that point to a function's Numba environment."""


class BitcodeLibrary(JITCodeLibrary):
    """A code library for linking: its machine code defines nothing but what Numba writes to."""

    optimised = True

    def _optimize_final_module(self) -> None:
        if self.optimised:
            super()._optimize_final_module()  # type: ignore[no-untyped-call]

    def _finalize_final_module(self) -> None:
        """Keep the module for linking, and make machine code of an almost empty one."""
        module = self._final_module
        for function in module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = module
        stub = self._codegen._create_empty_module(self.name)  # type: ignore[no-untyped-call]
        pointer = ir.IntType(8).as_pointer()
        for variable in module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                written = ir.GlobalVariable(stub, pointer, variable.name)
                written.linkage = "common"
                written.initializer = pointer(None)
        self._final_module = binding.parse_assembly(str(stub))
        super()._finalize_final_module()  # type: ignore[no-untyped-call]


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class _UseBitcodeLibrary(AnalysisPass):
    """Lower a function into a library of ours."""

    _name = "use_bitcode_library"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        make: Any = BitcodeLibrary
        state.library = make(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library.optimised = not (state.flags.forceinline or _listens(state))
        return False


def _listens(state: Any) -> bool:
    """Tell whether a function is compiled to write events."""
    kinds = dict(zip(state.func_id.arg_names, state.args, strict=True))
    return isinstance(kinds.get("events"), types.Array)


class BitcodeCompiler(CompilerBase):
    """Numba's compiler, for functions that Python does not call."""

    def define_pipelines(self) -> list[Any]:
        builder: Any = DefaultPassBuilder
        passes = builder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_UseBitcodeLibrary, NopythonTypeInference)
        passes.finalize()
        return [passes]

"""Code libraries that optimise each function once: Numba's would do it again in every caller.

Numba makes machine code of every function, together with all that it calls, and a wrapper for
Python; its callers link its bitcode and do the same again. Here only functions that Python calls
get machine code, and a function too long to be inlined is linked into its callers after they are
optimised, so that it is not optimised again. That took a quarter of the time of compilation.

Two kinds are not optimised by themselves, only in their callers: functions that are always
inlined, and those that write events, which run once for a decision and not in playouts.

To optimise no other function either would cost speed: playouts of Nomads took 13% longer.

Numba has no option for this. The libraries here override methods of its code library; the rest is
the documented way to add a compiler pass.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.typed_passes import NopythonTypeInference

ENVIRONMENT = "_ZN08NumbaEnv"
"""Begins the names of the global variables that point to a function's Numba environment."""
LONG = 350
"""How many instructions a function has that is not inlined. With 150 compilation takes 10% less,
but the search of Lumens 3% longer, since LLVM would have inlined some of those between."""


class EntryLibrary(JITCodeLibrary):
    """A code library of a function that Python calls."""

    optimised = True

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self._short: list[BitcodeLibrary] = []
        self._long: list[BitcodeLibrary] = []

    def add_linking_library(self, library: Any) -> None:
        """Link a called function. One from the disk cache is not told apart, and always short."""
        if not isinstance(library, BitcodeLibrary):
            super().add_linking_library(library)  # type: ignore[no-untyped-call]
        elif library.alone is None:
            self._long.append(library)
        else:
            self._short.append(library)
            self._long += library._long

    def _optimize_final_module(self) -> None:
        for library in dict.fromkeys(self._short):
            self._final_module.link_in(library.alone, preserve=True)
        if self.optimised:
            super()._optimize_final_module()  # type: ignore[no-untyped-call]
        self._after_optimising()
        for library in dict.fromkeys(self._long):
            self._final_module.link_in(library.whole, preserve=True)

    def _after_optimising(self) -> None:
        """Do nothing more with the function without the long ones that it calls."""


class BitcodeLibrary(EntryLibrary):
    """A code library for linking: its machine code defines nothing but what Numba writes to."""

    alone: Any = None
    """The function without the long ones that it calls; None if it is long itself."""
    whole: Any = None
    """The function with all that it calls."""

    def _after_optimising(self) -> None:
        if not self.optimised or not _is_long(self._final_module):
            self.alone = self._final_module.clone()
            _make_linkable(self.alone)

    def _finalize_final_module(self) -> None:
        """Keep the module for linking, and make machine code of an almost empty one."""
        module = self._final_module
        _make_linkable(module)
        self.whole = self._shared_module = module
        stub = self._codegen._create_empty_module(self.name)  # type: ignore[no-untyped-call]
        pointer = ir.IntType(8).as_pointer()
        for variable in module.global_variables:
            if variable.name.startswith(ENVIRONMENT):
                written = ir.GlobalVariable(stub, pointer, variable.name)
                written.linkage = "common"
                written.initializer = pointer(None)
        self._final_module = binding.parse_assembly(str(stub))
        super()._finalize_final_module()  # type: ignore[no-untyped-call]


def _own_functions(module: Any) -> list[Any]:
    """Return what a module defines for others: the function it was made for."""
    return [
        function
        for function in module.functions
        if not function.is_declaration and function.linkage == binding.Linkage.external
    ]


def _make_linkable(module: Any) -> None:
    """Let a module's function be defined by several modules, and inlined, as Numba does."""
    for function in _own_functions(module):
        function.linkage = "linkonce_odr"


def _is_long(module: Any) -> bool:
    instructions = (
        instruction
        for function in _own_functions(module)
        for block in function.blocks
        for instruction in block.instructions
    )
    return next(islice(instructions, LONG, None), None) is not None


@register_pass(mutates_CFG=False, analysis_only=True)  # type: ignore[no-untyped-call]
class _UseOwnLibrary(AnalysisPass):
    """Lower a function into a library of ours."""

    _name = "use_own_library"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        called = not state.flags.no_cpython_wrapper
        make: Any = EntryLibrary if called else BitcodeLibrary
        state.library = make(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library.optimised = called or not (state.flags.forceinline or _listens(state))
        return False


def _listens(state: Any) -> bool:
    """Tell whether a function is compiled to write events."""
    kinds = dict(zip(state.func_id.arg_names, state.args, strict=True))
    return isinstance(kinds.get("events"), types.Array)


class Compiler(CompilerBase):
    """Numba's compiler, with code libraries of ours."""

    def define_pipelines(self) -> list[Any]:
        builder: Any = DefaultPassBuilder
        passes = builder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_UseOwnLibrary, NopythonTypeInference)
        passes.finalize()
        return [passes]

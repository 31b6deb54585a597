"""Is one more feature hidden? A test against data that have no more than the fit found.

The question is whether one more dimension lowers the stress by more than it would anyway, for
any dimension more fits some of the noise. What it would lower anyway is seen in data that have
only p hidden dimensions (`null_data.py`), on the same scale, its curve laid anew. An alarm that
something else explains as well (`rivals.py`) is not shown as one, nor is one of a power that the
order of the numbers does not show (`by_order.py`); nor is a p-value where residuals follow
something else (`misfit.py`), or errors hang together in a way for which no such data could be made
(`calibrated.py`). Then it is said what is seen, and what to try.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cml_core.evidence.by_order import NOT_BY_ORDER, chance_by_order
from cml_core.evidence.calibrated import BY_THEMSELVES, as_told, leads_to_order, why_no_chance
from cml_core.evidence.misfit import Misfit, misfits
from cml_core.evidence.null_cases import NullCases, null_cases
from cml_core.evidence.null_data import NullData, null_data
from cml_core.evidence.refits import as_fitted
from cml_core.evidence.result import Result
from cml_core.evidence.rivals import UNCONFIRMED, bias_by_lengths, explained_otherwise
from cml_core.evidence.sketches import Strip
from cml_core.evidence.table import COUNT, SHARE, Column, Table
from cml_core.evidence.wider import EXACT, chance, lowered_by_chance, wider_fits
from cml_core.evidence.work import OnStage, each
from cml_core.files.cases import Cases
from cml_core.fitting.configuration import Solution
from cml_core.fitting.problem import Problem
from cml_core.fitting.result import Fit
from cml_core.fitting.scales.registry import RATIO, SCALES
from cml_core.values.answers import Answers
from cml_core.values.arrays import FloatArray, frozen
from cml_core.values.origin import UNKNOWN, Origin
from cml_core.values.real_numbers import whole_number
from cml_core.values.words import percent

# At the level at which false alarms were counted, see benchmarks/CALIBRATION.md, and below it.
LIKELY = 0.05
VERY_LIKELY = 0.01
# Where nearly all data by chance give more, something else than a feature is different.
UNUSUAL = 0.975
_SUPPOSED = (
    "Supposed: every pair was judged or measured by itself. Of sortings and correlations, whose "
    "errors hang together, the chance would be wrong."
)

# As counted, see benchmarks/CALIBRATION.md.
COUNTED = (
    "Without a further feature, simulated data showed an alarm in at most 4 of 100 data sets, in "
    "up to 13 where a known feature acts by its square, in 8 to 71 where two of 20 objects are far "
    "from everything by an added length (71: on their order)."
)
COUNTED_OF_CASES = (
    "Without a further feature, simulated measurements showed an alarm in at most 5 of 100 data "
    "sets, in 10 where measurements saturate."
)
_OF_CASES = (
    "The {} cases of which the numbers were computed were drawn anew. In each case features are "
    "supposed to act along straight lines."
)


@dataclass(frozen=True, eq=False)
class HiddenFeature(Result):
    """Whether `n_components` hidden dimensions are enough, tested against one more.

    Parameters
    ----------
    n_components : p, of the fit that was tested.
    lowered : the share of the stress that one more dimension takes away.
    null : the same in data that have only p hidden dimensions.
    p_value : how often such data are lowered as much, the data themselves counted with them;
        None where nobody knows how often that is wrong.
    growth : how errors grow with the fitted distance: 0 not at all, 1 in proportion.
    seed : repeats the test.
    people : how many people's answers were drawn anew; 0 where errors are those of pairs.
    why_no_p_value : in a sentence; empty where there is one.
    misfits : what the residuals follow rather than a feature; then there is no p-value.
    supposed : what the p-value supposes of the data, where nobody said how they were made.
    cases : how many cases, of which the dissimilarities were computed, were drawn anew.
    """

    n_components: int
    lowered: float
    null: FloatArray
    p_value: float | None
    growth: float
    seed: int
    people: int = 0
    why_no_p_value: str = ""
    misfits: tuple[Misfit, ...] = ()
    supposed: str = ""
    cases: int = 0

    heading = "Is one more feature hidden?"
    by_origin = True

    @property
    def facts(self) -> tuple[str, ...]:
        known = "Errors in the known features show in the same way as a further feature."
        drawn = f"The answers of {self.people} people were drawn anew." if self.people else ""
        cases = _OF_CASES.format(self.cases) if self.cases else ""
        return tuple(filter(None, (known, drawn, cases, self.supposed, self._counted)))

    @property
    def _counted(self) -> str:
        """How often the p-value is wrong; empty where there is none, or nothing was tested."""
        if self.p_value is None or not self.null.size:
            return ""
        return COUNTED_OF_CASES if self.cases else COUNTED

    @property
    def usual(self) -> float:
        """What one more dimension usually takes away without a further feature."""
        return float(np.median(self.null)) if self.null.size else 0.0

    @property
    def likely(self) -> bool:
        """Whether one more feature is hidden, as far as that can be told."""
        return self.p_value is not None and self.p_value <= LIKELY

    @property
    def ask_their_order(self) -> bool:
        """Whether the map of the order of the numbers may answer, where this one cannot."""
        return NOT_BY_ORDER in self.misfits or leads_to_order(self.why_no_p_value)

    @property
    def brief(self) -> str:
        """The verdict in a few words."""
        if not self.null.size and not self.why_no_p_value:
            return "Nothing is hidden"
        if self.p_value is None:
            return "One more feature? Cannot be told"
        if not self.likely:
            return "No sign of one more feature"
        how = "very likely" if self.p_value <= VERY_LIKELY else "probably"
        return f"One more feature {how} hidden"

    @property
    def verdict(self) -> str:
        if not self.null.size and self.why_no_p_value:
            return self.why_no_p_value
        if not self.null.size:
            return (
                f"Nothing is hidden: the known features and {self.n_components} hidden "
                "dimensions explain everything."
            )
        count, resamples = int((self.null >= self.lowered).sum()), self.null.size
        usual = percent(self.usual)
        compared = (
            f"one more dimension takes away {percent(self.lowered)} of what is unexplained; in "
            f"data without another feature it takes {usual}, and as much in {count} of "
            f"{resamples} such data sets."
        )
        beyond = _beyond(self.n_components)
        if self.p_value is None:
            return f"Here o{compared[1:]} {self.why_no_p_value or _instead(self.misfits)}"
        if self.p_value > UNUSUAL:
            return (
                f"No sign of a hidden feature{beyond}: {compared} That is less than independent "
                "residuals would give: those of these data hang together, so this test says "
                "little here."
            )
        if self.p_value > LIKELY:
            return f"No sign of a hidden feature{beyond}: {compared} That does not rule one out."
        how = "very likely" if self.p_value <= VERY_LIKELY else "probably"
        return f"One more feature is {how} still hidden{beyond}: {compared}"

    @property
    def sketch(self) -> Strip | None:
        title = "What one more dimension takes away, here and in data without a further feature"
        return Strip(title, self.lowered, self.null) if self.null.size else None

    def table(self) -> Table:
        return Table(
            (
                Column("Hidden dimensions tested", [self.n_components], COUNT),
                Column("One more takes away, of what is unexplained", [self.lowered], SHARE),
                Column("The same without a further feature, usually", [self.usual], SHARE),
                Column(
                    "By chance (p-value)",
                    [self.p_value],
                    SHARE,
                    "How often data without a further feature give as much.",
                ),
                Column("Data sets compared with", [self.null.size], COUNT),
                Column(
                    "How errors grow with distance (0 not, 1 in proportion)", [self.growth], "%.2f"
                ),
            ),
            names=0,
        )


def _beyond(n_components: int) -> str:
    if not n_components:
        return ""
    dimensions = "dimension" if n_components == 1 else f"{n_components} dimensions"
    return f", beyond the {dimensions} of this map"


def _instead(seen: tuple[Misfit, ...]) -> str:
    """What is seen rather than a feature, and what to try."""
    said = " ".join(f"{one.says} {one.advice}" for one in seen)
    unsure = "the sign of a feature does not last" if UNCONFIRMED in seen else ""
    return f"No chance is given, for {unsure or 'the model itself does not fit'}. {said}"


def hidden_feature_test(
    fit: Fit,
    *,
    answers: Answers | None = None,
    cases: Cases | None = None,
    origin: Origin | None = None,
    resamples: int = 199,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> HiddenFeature:
    """Test "as many hidden dimensions as the fit has are enough" against "one more".

    The false alarms at 5 % were measured, by scale and by how data were made: see
    benchmarks/CALIBRATION.md. Where known features carry errors of their own, the test finds
    these errors as well.

    Parameters
    ----------
    fit : of the problem; where it has not converged, or is not the best, alarms are too many.
    answers : of single people, whose mean the dissimilarities are: then people are drawn anew.
    cases : of which the dissimilarities were computed: then cases are drawn anew, where that was
        found to hold (`Cases.measured`); else there is no p-value.
    origin : how the dissimilarities were made, where that is known; otherwise as much as answers
        or cases tell.
    resamples : how many data sets without another feature are made.
    """
    resamples = whole_number("resamples", resamples, least=1)
    seed = whole_number("seed", seed)
    origin = as_told(origin, answers, cases)
    # What people said are no geodesics.
    answers = None if fit.problem.neighbourhood is not None else answers
    if answers is not None:
        answers.check_several()
    problem = as_fitted(fit.problem)
    if fit.stress <= EXACT:
        return _of_an_exact_fit(problem, seed)
    wider = wider_fits(problem, fit.best, fit.power)
    observed = 1.0 - wider[0].stress / fit.stress
    # Nor are cases geodesics.
    cases = None if fit.problem.neighbourhood is not None else cases
    by_cases = null_cases(problem, fit, cases) if cases and cases.measured else None
    world = by_cases or null_data(problem, fit, answers, seed)
    null = each(
        partial(lowered_by_chance, world, seed),
        range(resamples),
        doing="Fitting data without another feature",
        workers=workers,
        on_step=on_step,
    )
    p_value = chance(observed, null)
    why, seen = why_withheld(
        world,
        fit,
        wider,
        origin if by_cases is None else BY_THEMSELVES,
        alarm=p_value <= LIKELY,
        resamples=resamples,
        seed=seed,
        workers=workers,
        on_step=on_step,
    )
    return HiddenFeature(
        n_components=problem.n_components,
        lowered=observed,
        null=frozen(np.array(null)),
        p_value=None if why or seen else p_value,
        growth=world.growth,
        seed=seed,
        people=answers.n_people if answers else 0,
        why_no_p_value=why,
        misfits=seen,
        supposed=_SUPPOSED if origin.kind == UNKNOWN else "",
        cases=by_cases.cases.n_cases if by_cases else 0,
    )


def why_withheld(
    world: NullData | NullCases,
    fit: Fit,
    wider: Sequence[Solution],
    origin: Origin,
    *,
    alarm: bool,
    resamples: int,
    seed: int = 0,
    workers: int | None = None,
    on_step: OnStage | None = None,
) -> tuple[str, tuple[Misfit, ...]]:
    """Why no p-value is given, by how data were made, and what else is seen; both may be empty.

    Parameters
    ----------
    world : what made data are made of. Cases that are drawn misfit as the data do; then only an
        alarm is looked at.
    wider : `wider_fits` of the fit.
    alarm : whether there would be one; then it is looked at more closely.
    resamples : how many data sets are made on another scale, where one is asked, too.
    """
    why = why_no_chance(fit, origin, wider[0])
    if why and (origin.kind != UNKNOWN or fit.problem.neighbourhood is not None):
        return why, ()
    if alarm:
        rival = explained_otherwise(
            world.problem,
            fit.best,
            wider[0],
            fit.power,
            seed=seed,
            workers=workers,
            on_step=on_step,
        )
        # Errors by object are in data made of cases.
        if rival is None and isinstance(world, NullData):
            rival = bias_by_lengths(world.problem, fit.best, wider[0], fit.power)
        to_a_power = SCALES[world.problem.scale].to_a_power
        if rival is None and to_a_power and isinstance(world, NullData):
            by_order = chance_by_order(
                world, resamples=resamples, seed=seed, workers=workers, on_step=on_step
            )
            rival = NOT_BY_ORDER if by_order > LIKELY else None
        seen = tuple(filter(None, (rival,)))
    elif isinstance(world, NullCases):
        seen = ()
    else:
        seen = misfits(world.problem, [fit.best, *wider], fit.power)
    # What is seen tells more than what the numbers look like.
    return "" if seen else why, seen


def _of_an_exact_fit(problem: Problem, seed: int) -> HiddenFeature:
    """Of distances it says that nothing is hidden; on a free scale nearly anything can fit."""
    free = problem.scale != RATIO
    why = (
        "No test is possible: on this scale the map fits exactly, as so free a scale may fit "
        "nearly any data. Ask it of a map that takes the numbers more at their word."
    )
    return HiddenFeature(
        n_components=problem.n_components,
        lowered=0.0,
        null=frozen(np.zeros(0)),
        p_value=None if free else 1.0,
        growth=0.0,
        seed=seed,
        why_no_p_value=why if free else "",
    )

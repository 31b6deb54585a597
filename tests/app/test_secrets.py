"""The token is the project: it can be changed, is not to be guessed, and stands in nothing else."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from io import BytesIO

import pytest
from page_tools import button, page_of, press, said, tick, workspace_of
from store_tools import DAY, NOW, appended
from streamlit.testing.v1 import AppTest

from cml_app import messages, metrics, this_server
from cml_app.keeping.puzzles import NoSuchPuzzle, Sheet
from cml_app.keeping.store import NoSuchProject, Store
from cml_app.keeping.tokens import digest, reading_token, student_token
from cml_app.tries import AT_ONCE, MOST_CLIENTS, ONE_MORE_AFTER, TooManyTries, Tries, network
from cml_core.journey.file import to_json
from cml_core.report import tables
from cml_core.report.report import report_html

# Another address


def test_under_a_new_token_the_project_goes_on_and_every_old_one_opens_nothing(
    store: Store,
) -> None:
    old = store.create("[1]", NOW)
    read = store.share(old, NOW, shared=True)
    before = store.load(old, NOW)
    new = store.renew(old, NOW)
    assert store.load(new, NOW) == before
    assert store.update(new, appended(2), NOW, before).document == "[1, 2]"
    assert store.load(reading_token(new), NOW).may_change is False
    for token in (old, read):
        with pytest.raises(NoSuchProject):
            store.load(token, NOW)
        with pytest.raises(NoSuchProject):
            store.update(token, appended(3), NOW, before)
    assert store.load(new, NOW).document == "[1, 2]"


def test_what_was_not_shared_stays_so_under_a_new_token(store: Store) -> None:
    new = store.renew(store.create("[1]", NOW), NOW)
    assert not store.load(new, NOW).shared
    with pytest.raises(NoSuchProject):
        store.load(reading_token(new), NOW)


def test_only_the_owner_gets_a_new_token(store: Store) -> None:
    token = store.create("[1]", NOW)
    read = store.share(token, NOW, shared=True)
    for wrong in (read, digest(token), "", token[:-1]):
        with pytest.raises(NoSuchProject):
            store.renew(wrong, NOW)
    with pytest.raises(NoSuchProject):
        store.renew(token, NOW + 90 * DAY)
    assert store.load(token, NOW).document == "[1]"


def test_a_student_goes_on_under_a_new_token(store: Store) -> None:
    puzzles, token = store.puzzles(), store.create("[]", NOW)
    keys = puzzles.make("{}", NOW, 7, 20)
    puzzles.sit_down(keys.puzzle, token, Sheet("[]"), NOW)
    new = store.renew(token, NOW)
    with pytest.raises(NoSuchPuzzle):
        puzzles.hand_in(token, lambda sheet: sheet, NOW)
    assert puzzles.hand_in(new, lambda sheet: replace(sheet, best=0.5), NOW).tries == 1
    assert len(puzzles.sheets(keys, NOW)[1]) == 1


def test_the_data_page_gives_a_project_a_new_address(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    held.share(shared=True)
    old = str(held.token)
    app.switch_page("pages/1_Data.py").run()
    assert "the link for readers, open nothing any more" in said(app)
    press(app, "Give it a new address")
    new = str(held.token)
    assert new != old
    assert app.query_params["project"] == new
    app.switch_page("pages/2_Discover.py").run()
    tick(app, "Degree")
    assert not app.error
    for gone in (old, reading_token(old)):
        late = page_of()
        late.query_params["project"] = gone
        assert "No project is kept under this address" in late.run().error[0].value
    again = page_of()
    again.query_params["project"] = new
    assert again.run().title[0].value.endswith("with Gender and Degree taken out")


def test_another_tab_with_the_old_address_is_told_so_and_changes_nothing(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    other = page_of()
    other.query_params["project"] = str(held.token)
    other.run()
    press(app.switch_page("pages/1_Data.py").run(), "Give it a new address")
    tick(other, "Degree")
    assert any("No project is kept" in error.value for error in other.error)
    kept = this_server.store().load(str(held.token), this_server.moment())
    assert kept.document == to_json(held.journey)


def test_a_reader_is_offered_no_new_address(app: AppTest) -> None:
    tick(app, "Gender")
    workspace_of(app).share(shared=True)
    reader = page_of()
    reader.query_params["project"] = reading_token(str(workspace_of(app).token))
    reader.run().switch_page("pages/1_Data.py").run()
    assert not [one for one in reader.button if one.label == "Give it a new address"]


# What is nowhere told


def test_no_token_stands_in_what_goes_home_or_is_watched(app: AppTest) -> None:
    tick(app, "Gender")
    held = workspace_of(app)
    held.share(shared=True)
    journey, fit = held.journey, held.step.fit
    with zipfile.ZipFile(BytesIO(tables.bundle(journey))) as bundle:
        program = b"".join(bundle.read(name) for name in bundle.namelist())
    sheet = BytesIO(tables.coordinates_xlsx(fit, journey.features))
    with zipfile.ZipFile(sheet) as packed:
        cells = b"".join(packed.read(name) for name in packed.namelist())
    told = {
        "report": report_html(journey).encode(),
        "project": to_json(journey).encode(),
        "table": tables.coordinates_csv(fit, journey.features).encode(),
        "weights": tables.coef_csv(fit).encode(),
        "program": program,
        "workbook": cells,
        "metrics": metrics.exposition().encode(),
    }
    token = str(held.token)
    secrets = [token, reading_token(token), student_token(token)]
    secrets += [digest(one) for one in secrets]
    assert {name for name, text in told.items() if b"Gender" in text} >= {"report", "program"}
    for name, text in told.items():
        for secret in secrets:
            assert secret.encode() not in text, name


# Guessing


def in_vain(tries: Tries, address: str | None) -> None:
    with pytest.raises(NoSuchProject), tries.by(address):
        raise NoSuchProject("None.", remedy="None.")


def found(tries: Tries, address: str | None) -> None:
    with tries.by(address):
        pass


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_whoever_names_too_many_that_open_nothing_has_to_wait_and_nobody_else() -> None:
    clock = Clock()
    tries = Tries(clock)
    for _ in range(AT_ONCE):
        in_vain(tries, "203.0.113.7")
    for _ in range(3):
        with pytest.raises(TooManyTries, match="Wait a minute"):
            found(tries, "203.0.113.7")
    found(tries, "203.0.113.8")
    clock.now += ONE_MORE_AFTER
    found(tries, "203.0.113.7")
    in_vain(tries, "203.0.113.7")
    with pytest.raises(TooManyTries):
        found(tries, "203.0.113.7")


def test_what_opens_something_is_never_counted() -> None:
    tries = Tries(Clock())
    for _ in range(10 * AT_ONCE):
        found(tries, "203.0.113.7")
    assert len(tries) == 0


def test_many_clients_take_bounded_memory_and_a_network_counts_once() -> None:
    tries = Tries(Clock())
    for number in range(MOST_CLIENTS + 500):
        in_vain(tries, f"10.{number // 65536}.{number // 256 % 256}.{number % 256}")
    assert len(tries) == MOST_CLIENTS
    assert network("2001:db8::1") == network("2001:db8::ffff:1") != network("2001:db8:0:1::1")
    assert network(None) == network("not an address") == ""


@pytest.mark.parametrize("name", ["project", "puzzle"])
def test_a_page_that_is_asked_for_too_many_unknown_secrets_looks_none_up(
    app: AppTest, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cml_app.tries.AT_ONCE", 3)
    monkeypatch.setattr("cml_app.tries.ONE_MORE_AFTER", 1e6)
    tick(app, "Gender")
    mine = str(workspace_of(app).token)
    page = "app.py" if name == "project" else "pages/5_Learn.py"
    for attempt in range(5):
        guess = page_of(page)
        guess.query_params[name] = f"guess-{attempt}"
        words = guess.run().error[0].value
        assert ("Too many addresses" in words) == (attempt >= 3), words
    # Whoever is at work goes on.
    assert not tick(app, "Degree").error
    right = page_of()
    right.query_params["project"] = mine
    right.run()
    assert "Too many addresses" in right.error[0].value
    assert button(right, "Begin anew")
    assert messages.shown()["TooManyTries"]

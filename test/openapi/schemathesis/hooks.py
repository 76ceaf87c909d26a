"""What Schemathesis cannot know by the document alone: state that requests need, and one more check."""

import os

import requests
import schemathesis

URL = os.environ["FAIRLINE_URL"]
USER = {"authorization": f"Bearer {os.environ['FAIRLINE_USER_TOKEN']}"}
# The examples of the document name things that do not exist; these operations need them.
NEED_ADMISSION = {"holdSeats", "holdTickets"}
NEED_RESERVATION = {"getReservation", "cancelReservation", "preparePayment", "createTransfer"}
NEED_PLACE = {"getPlaceStatus", "enterWithPlace", "leaveWithPlace"}
EXAMPLE_OF_RESERVATION = "r-5f2c9a"
EXAMPLE_OF_TOKEN = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"


def post(path, body=None, headers=None):
    return requests.post(URL + path, json=body, headers={**USER, **(headers or {})}, timeout=10).json()


def admission():
    return {"x-queue-entry-token": post("/api/queue/check/concert").get("entryToken", "none")}


def reservation():
    body = {"eventId": "concert", "tickets": [{"typeId": "standing", "quantity": 1}]}
    return post("/api/reservations", body, admission()).get("reservationId", EXAMPLE_OF_RESERVATION)


def place():
    return post("/api/queue/join", {"event_id": "concert"}).get("waiting_token", EXAMPLE_OF_TOKEN)


def replace(values, example, create):
    if not isinstance(values, dict):
        return
    for name, value in values.items():
        if value == example:
            values[name] = create()


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = case.operation.definition.raw.get("operationId")
    if operation == "streamQueue":
        # A stream would not end: as a client that has seen the last event.
        case.headers["last-event-id"] = "end"
    if operation == "streamSeatChanges":
        replace(case.path_parameters, "concert", lambda: "no-event")
    if operation in NEED_ADMISSION and "x-queue-entry-token" in case.headers:
        case.headers.update(admission())
    if operation in NEED_RESERVATION:
        replace(case.path_parameters, EXAMPLE_OF_RESERVATION, reservation)
        replace(case.body, EXAMPLE_OF_RESERVATION, reservation)
    if operation in NEED_PLACE:
        replace(case.headers, EXAMPLE_OF_TOKEN, place)
        replace(case.body, EXAMPLE_OF_TOKEN, place)


@schemathesis.check
def documented_error_code(ctx, response, case):
    """The code of an error is one of those that the operation documents for the status."""
    if response.status_code < 400 or response.status_code == 405:
        return
    try:
        code = response.json()["error"]["code"]
    except (ValueError, TypeError, KeyError):
        return
    documented = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if "$ref" in documented:
        documented = case.operation.schema.raw_schema["components"]["responses"][documented["$ref"].split("/")[-1]]
    if code not in documented.get("description", "").replace(",", " ").split():
        raise AssertionError(f"{case.operation.label} does not document {code}")

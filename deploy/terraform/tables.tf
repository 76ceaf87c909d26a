# The same tables that `fairline migrate` creates (docs/explanation/tier1.md).

resource "aws_dynamodb_table" "counters" {
  name         = "${var.prefix}-vwr-counters"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "eventId"

  attribute {
    name = "eventId"
    type = "S"
  }

  attribute {
    name = "active"
    type = "S"
  }

  global_secondary_index {
    name            = "active-index"
    hash_key        = "active"
    range_key       = "eventId"
    projection_type = "KEYS_ONLY"
  }

  point_in_time_recovery {
    enabled = true
  }
}

resource "aws_dynamodb_table" "positions" {
  name         = "${var.prefix}-vwr-positions"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "eventId"
  range_key    = "requestId"

  attribute {
    name = "eventId"
    type = "S"
  }

  attribute {
    name = "requestId"
    type = "S"
  }

  attribute {
    name = "position"
    type = "N"
  }

  global_secondary_index {
    name            = "eventId-position-index"
    hash_key        = "eventId"
    range_key       = "position"
    projection_type = "ALL"
  }

  ttl {
    attribute_name = "ttl"
    enabled        = true
  }
}
